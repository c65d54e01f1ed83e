;; Inner products of many vectors and the factor of a symmetric matrix, two doubles at a time. All addresses and lengths are in bytes,
;; rows lie `stride` apart, a multiple of 16; rows come in fours, the last ones filled up with zeros (products) or a diagonal of ones
;; (factor). `bounds` has for each pair of rows where it begins and ends to be other than zero, as multiples of 16.
(module
  (memory (export "memory") 1)

  (func $sum (param $v v128) (result f64)
    (f64.add (f64x2.extract_lane 0 (local.get $v)) (f64x2.extract_lane 1 (local.get $v))))

  (func $add (param $at i32) (param $v f64)
    (f64.store (local.get $at) (f64.add (f64.load (local.get $at)) (local.get $v))))

  (func $later (param $a i32) (param $b i32) (result i32)
    (select (local.get $a) (local.get $b) (i32.gt_s (local.get $a) (local.get $b))))

  (func $earlier (param $a i32) (param $b i32) (result i32)
    (select (local.get $a) (local.get $b) (i32.lt_s (local.get $a) (local.get $b))))


  ;; k := the lower triangle of V·Vᵀ, of `rows` rows at v; k has as many doubles in a row as there are rows. Pieces of the rows at a
  ;; time, so that what is multiplied stays near.
  (func (export "products") (param $v i32) (param $stride i32) (param $bounds i32) (param $k i32) (param $rows i32) (param $piece i32)
    (local $i i32) (local $j i32) (local $start i32) (local $stop i32) (local $from i32) (local $to i32) (local $to2 i32)
    (local $wide i32) (local $at i32) (local $pair i32)
    (local $a0 i32) (local $a1 i32) (local $a2 i32) (local $a3 i32) (local $b0 i32) (local $b1 i32) (local $o i32)
    (local $p0 v128) (local $p1 v128) (local $p2 v128) (local $p3 v128) (local $q0 v128) (local $q1 v128)
    (local $s00 v128) (local $s01 v128) (local $s10 v128) (local $s11 v128)
    (local $s20 v128) (local $s21 v128) (local $s30 v128) (local $s31 v128)
    (local.set $wide (i32.mul (local.get $rows) (i32.const 8)))
    (memory.fill (local.get $k) (i32.const 0) (i32.mul (local.get $rows) (local.get $wide)))
    (block $all (loop $pieces
      (br_if $all (i32.ge_s (local.get $start) (local.get $stride)))
      (local.set $stop (call $earlier (local.get $stride) (i32.add (local.get $start) (local.get $piece))))
      (local.set $i (i32.const 0))
      (block $fours (loop $four
        (br_if $fours (i32.ge_s (local.get $i) (local.get $rows)))
        (local.set $a0 (i32.add (local.get $v) (i32.mul (local.get $i) (local.get $stride))))
        (local.set $a1 (i32.add (local.get $a0) (local.get $stride)))
        (local.set $a2 (i32.add (local.get $a1) (local.get $stride)))
        (local.set $a3 (i32.add (local.get $a2) (local.get $stride)))
        ;; A pair of rows has 8 bytes of bounds.
        (local.set $pair (i32.add (local.get $bounds) (i32.mul (local.get $i) (i32.const 4))))
        (local.set $from (call $later (local.get $start)
          (call $earlier (i32.load (local.get $pair)) (i32.load offset=8 (local.get $pair)))))
        (local.set $to (call $earlier (local.get $stop)
          (call $later (i32.load offset=4 (local.get $pair)) (i32.load offset=12 (local.get $pair)))))
        (if (i32.lt_s (local.get $from) (local.get $to)) (then
          (local.set $j (i32.const 0))
          (block $twos (loop $two
            (br_if $twos (i32.gt_s (local.get $j) (i32.add (local.get $i) (i32.const 2))))
            (local.set $pair (i32.add (local.get $bounds) (i32.mul (local.get $j) (i32.const 4))))
            (local.set $o (call $later (local.get $from) (i32.load (local.get $pair))))
            (local.set $to2 (call $earlier (local.get $to) (i32.load offset=4 (local.get $pair))))
            (if (i32.lt_s (local.get $o) (local.get $to2)) (then
              (local.set $b0 (i32.add (local.get $v) (i32.mul (local.get $j) (local.get $stride))))
              (local.set $b1 (i32.add (local.get $b0) (local.get $stride)))
              (local.set $s00 (v128.const f64x2 0 0))
              (local.set $s01 (v128.const f64x2 0 0))
              (local.set $s10 (v128.const f64x2 0 0))
              (local.set $s11 (v128.const f64x2 0 0))
              (local.set $s20 (v128.const f64x2 0 0))
              (local.set $s21 (v128.const f64x2 0 0))
              (local.set $s30 (v128.const f64x2 0 0))
              (local.set $s31 (v128.const f64x2 0 0))
              (block $done (loop $next
                (br_if $done (i32.ge_s (local.get $o) (local.get $to2)))
                (local.set $q0 (v128.load (i32.add (local.get $b0) (local.get $o))))
                (local.set $q1 (v128.load (i32.add (local.get $b1) (local.get $o))))
                (local.set $p0 (v128.load (i32.add (local.get $a0) (local.get $o))))
                (local.set $p1 (v128.load (i32.add (local.get $a1) (local.get $o))))
                (local.set $p2 (v128.load (i32.add (local.get $a2) (local.get $o))))
                (local.set $p3 (v128.load (i32.add (local.get $a3) (local.get $o))))
                (local.set $s00 (f64x2.add (local.get $s00) (f64x2.mul (local.get $p0) (local.get $q0))))
                (local.set $s01 (f64x2.add (local.get $s01) (f64x2.mul (local.get $p0) (local.get $q1))))
                (local.set $s10 (f64x2.add (local.get $s10) (f64x2.mul (local.get $p1) (local.get $q0))))
                (local.set $s11 (f64x2.add (local.get $s11) (f64x2.mul (local.get $p1) (local.get $q1))))
                (local.set $s20 (f64x2.add (local.get $s20) (f64x2.mul (local.get $p2) (local.get $q0))))
                (local.set $s21 (f64x2.add (local.get $s21) (f64x2.mul (local.get $p2) (local.get $q1))))
                (local.set $s30 (f64x2.add (local.get $s30) (f64x2.mul (local.get $p3) (local.get $q0))))
                (local.set $s31 (f64x2.add (local.get $s31) (f64x2.mul (local.get $p3) (local.get $q1))))
                (local.set $o (i32.add (local.get $o) (i32.const 16)))
                (br $next)))
              (local.set $at (i32.add (local.get $k)
                (i32.add (i32.mul (local.get $i) (local.get $wide)) (i32.mul (local.get $j) (i32.const 8)))))
              (call $add (local.get $at) (call $sum (local.get $s00)))
              (call $add (i32.add (local.get $at) (i32.const 8)) (call $sum (local.get $s01)))
              (local.set $at (i32.add (local.get $at) (local.get $wide)))
              (call $add (local.get $at) (call $sum (local.get $s10)))
              (call $add (i32.add (local.get $at) (i32.const 8)) (call $sum (local.get $s11)))
              (local.set $at (i32.add (local.get $at) (local.get $wide)))
              (call $add (local.get $at) (call $sum (local.get $s20)))
              (call $add (i32.add (local.get $at) (i32.const 8)) (call $sum (local.get $s21)))
              (local.set $at (i32.add (local.get $at) (local.get $wide)))
              (call $add (local.get $at) (call $sum (local.get $s30)))
              (call $add (i32.add (local.get $at) (i32.const 8)) (call $sum (local.get $s31)))
            ))
            (local.set $j (i32.add (local.get $j) (i32.const 2)))
            (br $two)))
        ))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br $four)))
      (local.set $start (local.get $stop))
      (br $pieces))))


  ;; The product of two rows from `o` to `end`.
  (func $dot (param $a i32) (param $b i32) (param $o i32) (param $end i32) (result f64)
    (local $s v128)
    (block $done (loop $next
      (br_if $done (i32.ge_s (local.get $o) (local.get $end)))
      (local.set $s (f64x2.add (local.get $s) (f64x2.mul
        (v128.load (i32.add (local.get $a) (local.get $o)))
        (v128.load (i32.add (local.get $b) (local.get $o))))))
      (local.set $o (i32.add (local.get $o) (i32.const 16)))
      (br $next)))
    (call $sum (local.get $s)))

  ;; Two more entries of a row of the factor, at `at`: what is left of them over the pivots of rows b0 and b1.
  (func $finish (param $at i32) (param $d0 f64) (param $d1 f64) (param $l00 f64) (param $l10 f64) (param $l11 f64)
    (local $x f64)
    (local.set $x (f64.div (f64.sub (f64.load (local.get $at)) (local.get $d0)) (local.get $l00)))
    (f64.store (local.get $at) (local.get $x))
    (f64.store offset=8 (local.get $at) (f64.div
      (f64.sub (f64.sub (f64.load offset=8 (local.get $at)) (local.get $d1)) (f64.mul (local.get $x) (local.get $l10)))
      (local.get $l11))))


  ;; Two columns of four rows of the factor, those at `end`: a0 is the first of the four rows, b0 the first of the two that end there.
  (func $pair (param $a0 i32) (param $b0 i32) (param $stride i32) (param $o i32) (param $end i32)
    (local $a1 i32) (local $a2 i32) (local $a3 i32) (local $b1 i32)
    (local $p0 v128) (local $p1 v128) (local $p2 v128) (local $p3 v128) (local $q0 v128) (local $q1 v128)
    (local $s00 v128) (local $s01 v128) (local $s10 v128) (local $s11 v128)
    (local $s20 v128) (local $s21 v128) (local $s30 v128) (local $s31 v128)
    (local $l00 f64) (local $l10 f64) (local $l11 f64)
    (local.set $a1 (i32.add (local.get $a0) (local.get $stride)))
    (local.set $a2 (i32.add (local.get $a1) (local.get $stride)))
    (local.set $a3 (i32.add (local.get $a2) (local.get $stride)))
    (local.set $b1 (i32.add (local.get $b0) (local.get $stride)))
    (local.set $s00 (v128.const f64x2 0 0))
    (local.set $s01 (v128.const f64x2 0 0))
    (local.set $s10 (v128.const f64x2 0 0))
    (local.set $s11 (v128.const f64x2 0 0))
    (local.set $s20 (v128.const f64x2 0 0))
    (local.set $s21 (v128.const f64x2 0 0))
    (local.set $s30 (v128.const f64x2 0 0))
    (local.set $s31 (v128.const f64x2 0 0))
    (block $done (loop $next
      (br_if $done (i32.ge_s (local.get $o) (local.get $end)))
      (local.set $q0 (v128.load (i32.add (local.get $b0) (local.get $o))))
      (local.set $q1 (v128.load (i32.add (local.get $b1) (local.get $o))))
      (local.set $p0 (v128.load (i32.add (local.get $a0) (local.get $o))))
      (local.set $p1 (v128.load (i32.add (local.get $a1) (local.get $o))))
      (local.set $p2 (v128.load (i32.add (local.get $a2) (local.get $o))))
      (local.set $p3 (v128.load (i32.add (local.get $a3) (local.get $o))))
      (local.set $s00 (f64x2.add (local.get $s00) (f64x2.mul (local.get $p0) (local.get $q0))))
      (local.set $s01 (f64x2.add (local.get $s01) (f64x2.mul (local.get $p0) (local.get $q1))))
      (local.set $s10 (f64x2.add (local.get $s10) (f64x2.mul (local.get $p1) (local.get $q0))))
      (local.set $s11 (f64x2.add (local.get $s11) (f64x2.mul (local.get $p1) (local.get $q1))))
      (local.set $s20 (f64x2.add (local.get $s20) (f64x2.mul (local.get $p2) (local.get $q0))))
      (local.set $s21 (f64x2.add (local.get $s21) (f64x2.mul (local.get $p2) (local.get $q1))))
      (local.set $s30 (f64x2.add (local.get $s30) (f64x2.mul (local.get $p3) (local.get $q0))))
      (local.set $s31 (f64x2.add (local.get $s31) (f64x2.mul (local.get $p3) (local.get $q1))))
      (local.set $o (i32.add (local.get $o) (i32.const 16)))
      (br $next)))
    (local.set $l00 (f64.load (i32.add (local.get $b0) (local.get $end))))
    (local.set $l10 (f64.load (i32.add (local.get $b1) (local.get $end))))
    (local.set $l11 (f64.load offset=8 (i32.add (local.get $b1) (local.get $end))))
    (call $finish (i32.add (local.get $a0) (local.get $end)) (call $sum (local.get $s00)) (call $sum (local.get $s01))
      (local.get $l00) (local.get $l10) (local.get $l11))
    (call $finish (i32.add (local.get $a1) (local.get $end)) (call $sum (local.get $s10)) (call $sum (local.get $s11))
      (local.get $l00) (local.get $l10) (local.get $l11))
    (call $finish (i32.add (local.get $a2) (local.get $end)) (call $sum (local.get $s20)) (call $sum (local.get $s21))
      (local.get $l00) (local.get $l10) (local.get $l11))
    (call $finish (i32.add (local.get $a3) (local.get $end)) (call $sum (local.get $s30)) (call $sum (local.get $s31))
      (local.get $l00) (local.get $l10) (local.get $l11)))

  ;; Where a pair of rows begins.
  (func $first (param $bounds i32) (param $row i32) (result i32)
    (i32.load (i32.add (local.get $bounds) (i32.mul (local.get $row) (i32.const 4)))))

  ;; Where four rows begin.
  (func $firstOfFour (param $bounds i32) (param $row i32) (result i32)
    (call $earlier
      (call $first (local.get $bounds) (local.get $row))
      (call $first (local.get $bounds) (i32.add (local.get $row) (i32.const 2)))))

  ;; The lower triangle of a symmetric matrix of `rows` rows becomes its factor, 32 rows at a time, so that what they are multiplied
  ;; by is read once for all of them. `small` is added to the diagonal, relative to it, and is the least that a pivot keeps.
  (func (export "factor") (param $m i32) (param $stride i32) (param $bounds i32) (param $rows i32) (param $small f64)
    (local $I i32) (local $last i32) (local $i i32) (local $j i32) (local $r i32) (local $c i32) (local $from i32) (local $end i32)
    (local $a0 i32) (local $b0 i32) (local $o i32) (local $t i32)
    (local $row i32) (local $other i32) (local $value f64) (local $least f64)
    (block $all (loop $blocks
      (br_if $all (i32.ge_s (local.get $I) (local.get $rows)))
      (local.set $last (call $earlier (local.get $rows) (i32.add (local.get $I) (i32.const 32))))
      ;; Columns before the block.
      (local.set $j (i32.const 0))
      (block $before (loop $two
        (br_if $before (i32.ge_s (local.get $j) (local.get $I)))
        (local.set $b0 (i32.add (local.get $m) (i32.mul (local.get $j) (local.get $stride))))
        (local.set $end (i32.mul (local.get $j) (i32.const 8)))
        (local.set $i (local.get $I))
        (block $rowsDone (loop $four
          (br_if $rowsDone (i32.ge_s (local.get $i) (local.get $last)))
          (local.set $from (call $firstOfFour (local.get $bounds) (local.get $i)))
          (if (i32.le_s (local.get $from) (local.get $end)) (then
            (call $pair (i32.add (local.get $m) (i32.mul (local.get $i) (local.get $stride))) (local.get $b0) (local.get $stride)
              (call $later (local.get $from) (call $first (local.get $bounds) (local.get $j))) (local.get $end))))
          (local.set $i (i32.add (local.get $i) (i32.const 4)))
          (br $four)))
        (local.set $j (i32.add (local.get $j) (i32.const 2)))
        (br $two)))
      ;; Within it.
      (local.set $i (local.get $I))
      (block $within (loop $four
        (br_if $within (i32.ge_s (local.get $i) (local.get $last)))
        (local.set $a0 (i32.add (local.get $m) (i32.mul (local.get $i) (local.get $stride))))
        (local.set $from (call $firstOfFour (local.get $bounds) (local.get $i)))
        (local.set $j (call $later (local.get $I) (i32.shr_s (local.get $from) (i32.const 3))))
        (block $twos (loop $two
          (br_if $twos (i32.ge_s (local.get $j) (local.get $i)))
          (call $pair (local.get $a0) (i32.add (local.get $m) (i32.mul (local.get $j) (local.get $stride))) (local.get $stride)
            (call $later (local.get $from) (call $first (local.get $bounds) (local.get $j)))
            (i32.mul (local.get $j) (i32.const 8)))
          (local.set $j (i32.add (local.get $j) (i32.const 2)))
          (br $two)))
        ;; The four by four on the diagonal.
        (local.set $end (i32.mul (local.get $i) (i32.const 8)))
        (local.set $r (i32.const 0))
        (block $rowsDone (loop $eachRow
          (br_if $rowsDone (i32.ge_s (local.get $r) (i32.const 4)))
          (local.set $row (i32.add (local.get $a0) (i32.mul (local.get $r) (local.get $stride))))
          (local.set $c (i32.const 0))
          (block $columnsDone (loop $eachColumn
            (br_if $columnsDone (i32.gt_s (local.get $c) (local.get $r)))
            (local.set $other (i32.add (local.get $a0) (i32.mul (local.get $c) (local.get $stride))))
            (local.set $t (i32.add (local.get $end) (i32.mul (local.get $c) (i32.const 8))))
            (local.set $value (f64.load (i32.add (local.get $row) (local.get $t))))
            (if (i32.eq (local.get $c) (local.get $r)) (then
              (local.set $value (f64.mul (local.get $value) (f64.add (f64.const 1) (local.get $small))))
              (local.set $least (f64.add (f64.mul (local.get $value) (local.get $small)) (f64.const 0x1p-1022)))))
            (local.set $value (f64.sub (local.get $value)
              (call $dot (local.get $row) (local.get $other) (local.get $from) (local.get $end))))
            ;; What lies between the four's start and this column.
            (local.set $o (local.get $end))
            (block $restDone (loop $rest
              (br_if $restDone (i32.ge_s (local.get $o) (local.get $t)))
              (local.set $value (f64.sub (local.get $value) (f64.mul
                (f64.load (i32.add (local.get $row) (local.get $o)))
                (f64.load (i32.add (local.get $other) (local.get $o))))))
              (local.set $o (i32.add (local.get $o) (i32.const 8)))
              (br $rest)))
            (f64.store (i32.add (local.get $row) (local.get $t))
              (if (result f64) (i32.eq (local.get $c) (local.get $r))
                (then (f64.sqrt (f64.max (local.get $value) (local.get $least))))
                (else (f64.div (local.get $value) (f64.load (i32.add (local.get $other) (local.get $t)))))))
            (local.set $c (i32.add (local.get $c) (i32.const 1)))
            (br $eachColumn)))
          (local.set $r (i32.add (local.get $r) (i32.const 1)))
          (br $eachRow)))
        (local.set $i (i32.add (local.get $i) (i32.const 4)))
        (br $four)))
      (local.set $I (local.get $last))
      (br $blocks))))
)
