"""Releases on one machine, where tasks are run up to four times: ``local[2,4]``."""

from __future__ import annotations

import base64
import glob
import json
import os
import shutil
import sys
import unittest
from decimal import Decimal

from common import FOLDER, LEDGER, OPTIONS, at, by_id, discreet, entries, kept, output, rows, session
from pyspark import TaskContext
from pyspark.sql import functions as F
from pyspark.testing.objects import ExamplePointUDT

from discreet_spark import DiscreetError, Refused, count, release
from discreet_spark._ids import check_ids
from discreet_spark._release import _inside


def failing_once(batches):
    """A task that fails when it is first run, after it has had a batch."""
    for number, batch in enumerate(batches):
        if number == 0 and TaskContext.get().attemptNumber() == 0:
            raise RuntimeError("forced")
        yield batch


class Local(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = session("local[2,4]", **{"spark.sql.execution.arrow.maxRecordsPerBatch": "500"})
        cls.input = rows(cls.spark, 4000, "in.parquet")

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        shutil.rmtree(FOLDER, ignore_errors=True)

    def test_same_whatever_is_run_again(self):
        before = len(entries())
        out = output()
        with release(self.input, ["visits"], output=out, **OPTIONS) as released:
            released.limit(5).collect()
            plain = by_id(released)
            released.write.parquet(at("written.parquet"))
            faulty = by_id(released.mapInArrow(failing_once, released.schema))
            joined = by_id(released.coalesce(1))
            again = by_id(released.repartition(3))
        self.assertEqual(plain, faulty)
        self.assertEqual(plain, joined)
        self.assertEqual(plain, again)
        self.assertEqual(plain, by_id(self.spark.read.parquet(at("written.parquet"))))
        self.assertEqual(len(entries()), before + 1)
        self.assertEqual(entries()[-1]["state"], "complete")
        self.assertRegex(entries()[-1]["keyed"]["pinned"], r"^2 files, compared by digest")
        truth = by_id(self.input)
        self.assertEqual([row[:2] for row in plain], [row[:2] for row in truth])
        self.assertEqual([row[2] is None for row in plain], [row[2] is None for row in truth])
        moved = sum(a[2] != b[2] for a, b in zip(plain, truth))
        self.assertGreater(moved, 2000)
        self.assertTrue(os.path.exists(f"{out}.mechanism.json"))
        # What comes in front in another order and in other partitions gets the same; a key of its own makes another.
        with self.assertRaises(Exception):
            released.count()

    def test_input_in_another_order(self):
        turned = self.input.repartition(3, "region").sortWithinPartitions(F.desc("id"))
        with release(turned, ["visits"], output=output(), **OPTIONS) as released:
            first = by_id(released)
            self.assertEqual(first, by_id(released.mapInArrow(failing_once, released.schema)))
        with release(self.input, ["visits"], output=output(), **OPTIONS) as released:
            second = by_id(released)
        truth = by_id(self.input)
        pairs = [(a[2] - t[2], b[2] - t[2]) for a, b, t in zip(first, second, truth) if t[2] is not None]
        self.assertLess(sum(a == b for a, b in pairs), len(pairs) / 5)
        product = sum(a * b for a, b in pairs)
        squares = (sum(a * a for a, _ in pairs) * sum(b * b for _, b in pairs)) ** 0.5
        self.assertLess(abs(product / squares), 6 / len(pairs) ** 0.5)

    def test_the_key_is_nowhere(self):
        releasing = release(self.input, ["visits"], output=output(), **OPTIONS)
        with releasing as released:
            key = bytes(releasing._session.key)
            released.write.parquet(at("for-key.parquet"))
            told = released._jdf.queryExecution().toString()
            forms = [key, key.hex().encode(), base64.b64encode(key), repr(key)[2:-1].encode()]
            places = [at("events"), at("local"), at("for-key.parquet"), at("checkpoints"), f"{FOLDER}"]
            found = [p for place in places for p in glob.glob(f"{place}/**", recursive=True) if os.path.isfile(p)]
            found += glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/environ")
            looked = 0
            for path in found:
                try:
                    with open(path, "rb") as file:
                        content = file.read()
                except OSError:
                    continue
                looked += 1
                for form in forms:
                    self.assertNotIn(form, content, path)
            self.assertGreater(looked, 50)
            for form in forms:
                self.assertNotIn(form, told.encode())
        self.assertEqual(len(key), 32)

    def test_mechanism_file_steps_and_clamp(self):
        mechanism = at("quarter.json")
        discreet("calibrate", "geometric", "--epsilon", "1", "--adjacency", "5", "--step", "0.25", "-o", mechanism)
        options = {**OPTIONS, "epsilon": None}
        halves = kept(self.input.withColumn("visits", F.col("visits") / 2), "halves.parquet")
        with release(halves, {"visits": mechanism}, clamp=(0, 3), output=output(), **options) as released:
            self.assertEqual(released.schema["visits"].dataType.simpleString(), "decimal(18,2)")
            values = [row[2] for row in by_id(released) if row[2] is not None]
        self.assertEqual((min(values), max(values)), (Decimal("0.00"), Decimal("3.00")))
        self.assertTrue(all(value % Decimal("0.25") == 0 for value in values))

    def test_what_executors_lack_costs_nothing(self):
        before = len(entries())
        around = self.spark.sparkContext.environment
        os.makedirs(at("without/pyarrow"))
        with open(at("without/pyarrow/__init__.py"), "w") as file:
            file.write("""raise ModuleNotFoundError("No module named 'pyarrow'")""")
        # Workers find it before the one that is installed.
        own = around.get("PYTHONPATH")
        around["PYTHONPATH"] = at("without")
        try:
            with self.assertRaisesRegex(DiscreetError, "on an executor: .* lacks pyarrow; .*Nothing was released or charged"):
                with release(self.input, ["visits"], output=output(), **OPTIONS) as released:
                    released.collect()
        finally:
            around.pop("PYTHONPATH")
            if own is not None:
                around["PYTHONPATH"] = own
        self.assertEqual(len(entries()), before)

    def test_a_part_has_one_text(self):
        before = len(entries())
        ledger = at("parts.db")
        discreet("ledger", "init", "--ledger", ledger, "--dataset", "p", "--epsilon", "9", "--adjacency", "visits=5", "--partition", "region=1,1.0")
        options = {**OPTIONS, "ledger": ledger, "dataset": "p", "part": "1"}
        typed = kept(self.input.withColumn("region", F.lit(1.0)), "typed.parquet")
        with self.assertRaisesRegex(DiscreetError, "can be written in several ways"):
            with release(typed, ["visits"], output=output(), **options) as released:
                released.collect()
        whole = kept(self.input.withColumn("region", F.lit(1)), "whole.parquet")
        with release(whole, ["visits"], output=output(), **options) as released:
            self.assertEqual(len(released.collect()), self.input.count())
        self.assertEqual(len(entries()), before)

    def test_without_an_id(self):
        equal = self.input.select("region", F.lit(3).alias("visits")).repartition(3)
        with self.assertRaisesRegex(DiscreetError, "checkpoint"):
            release(equal, ["visits"], **{**OPTIONS, "id": None}).__enter__()
        fixed = equal.checkpoint()
        with release(fixed, ["visits"], output=output(), **{**OPTIONS, "id": None}) as released:
            values = sorted(tuple(row) for row in released.collect())
            self.assertEqual(values, sorted(tuple(row) for row in released.coalesce(1).collect()))
            faulty = released.mapInArrow(failing_once, released.schema)
            self.assertEqual(values, sorted(tuple(row) for row in faulty.collect()))
        # Equal rows with noise of their own: as many values as the noise has, not one for each partition.
        self.assertGreater(len(set(values)), 20)

    def test_refused_before_anything_is_charged(self):
        before = len(entries())
        self.input.createOrReplaceTempView("people")
        self.spark.range(0, 5).createOrReplaceTempView("other")
        self.input.write.partitionBy("visits").parquet(at("laid-out.parquet"))
        laid_out = self.spark.read.parquet(at("laid-out.parquet"))
        with open(at("raw.csv"), "w") as file:
            file.write("1,2\n3,5.25\n")
        raw = self.spark.read.csv(at("raw.csv"), schema="id bigint, visits bigint, _corrupt_record string")
        with open(at("named.csv"), "w") as file:
            file.write("id,visits,score\n1,2,3\n")

        with open(at("other-way.csv"), "w") as file:
            file.write("id,score,visits\n3,300,77\n")
        self.input.write.orc(at("in.orc"))
        with open(at("some.jsonl"), "w") as file:
            file.write('{"id": 1, "visits": 130}\n')

        def from_csv(**options):
            return self.spark.read.options(**options).csv(at("raw.csv"), schema="id bigint, visits bigint")

        self.input.write.bucketBy(3, "visits").sortBy("visits").saveAsTable("bucketed")
        bucketed = self.spark.table("bucketed")
        inner = kept(self.input.select("*", F.struct("visits").alias("p"), F.create_map(F.lit("a"), "id").alias("m")), "inner.parquet")
        two = kept(self.input.withColumn("income", F.col("id") % 100), "two.parquet")
        two.write.partitionBy("visits").parquet(at("two-laid.parquet"))
        self.input.limit(5).write.parquet(at("mixed.parquet"))
        self.input.limit(5).selectExpr("id + 9000 AS id", "region", "cast(visits AS int) AS visits").write.mode("append").parquet(
            at("mixed.parquet")
        )
        clock = kept(self.input.withColumn("t", F.lit("10:00")), "clock.parquet")
        renamed = kept(self.input.withColumn("zone", F.lit("S")), "renamed.parquet")
        for more in (["--dataset", "two", "--adjacency", "income=10"], ["--dataset", "split", "--partition", "region=N,S"]):
            discreet("ledger", "init", "--ledger", LEDGER, "--epsilon", "9", "--adjacency", "visits=5", *more)
        before = len(entries())
        cases = [
            (self.input.limit(5), {}, "GlobalLimit"),
            (self.input.withColumn("x", F.rand()), {}, r"expression .* \(Rand\)"),
            (self.spark.sql("SELECT * FROM people WHERE id IN (SELECT id FROM people LIMIT 5)"), {}, "a query inside"),
            (self.spark.createDataFrame([(1, 2)], ["id", "visits"]), {}, "no reliable checkpoint"),
            (self.input.union(self.input.where("id = 7")), {}, "there twice"),
            (kept(self.input.withColumn("id", F.when(F.col("id") != 5, F.col("id"))), "no-id.parquet"), {}, "has no 'id'"),
            (kept(self.input.withColumn("id", F.concat(F.lit("p"), F.col("id") % 3999)), "twice.parquet"), {}, "there twice"),
            (kept(self.input.withColumn("id", F.col("id") * 1.5), "float.parquet"), {}, "whole numbers or text"),
            (self.input.union(self.input.withColumn("id", F.col("id") + 4000)), {}, "'id' is computed"),
            (self.input.join(self.input.select("id"), "id"), {}, "Join"),
            (self.input.withColumn("copy", F.col("visits")), {}, "protects"),
            (self.input.withColumn("ten", F.col("visits") * 10), {}, "computed"),
            (self.input.withColumn("ten", F.col("visits") + 0), {"passed": ["ten"]}, "computed from a protected"),
            (self.input.withColumn("ten", F.col("id") + 0), {}, "computed"),
            (self.input.withColumn("visits", F.col("visits") * 100), {}, "no plain column"),
            (self.input.withColumnRenamed("visits", "v").withColumn("visits", F.lit(1)), {}, "no plain column|protects"),
            (self.input.where("visits > 3"), {}, "looks at the protected 'visits'"),
            (self.input.withColumn("big", F.col("visits") > 3).where("big").drop("big"), {}, "looks at the protected"),
            (self.input.repartition(3, "visits"), {}, "looks at the protected"),
            (self.input.repartition(3), {}, "a hash of all that they hold"),
            (self.input.hint("rebalance"), {}, "a hash of all that they hold"),
            (self.spark.sql("SELECT * FROM people WHERE id IN (SELECT id FROM people WHERE visits > 3)"), {}, "a query inside"),
            (self.spark.sql("SELECT * FROM people p WHERE EXISTS (SELECT 1 FROM other o WHERE o.id = p.visits)"), {}, "a query inside"),
            (self.input.where("id > java_method('java.lang.System', 'nanoTime')"), {}, "CallMethodViaReflection"),
            (self.input.where("id > unix_date(to_date('today'))"), {}, "the time of day|UnixDate"),
            (clock.withColumn("at", F.col("t").cast("timestamp")), {"passed": ["at"]}, "the time of day"),
            (self.spark.read.parquet(at("mixed.parquet")), {}, "not all files have it so"),
            (self.spark.read.schema("id bigint, visits int").parquet(at("in.parquet")), {}, "not all files have it so"),
            (self.spark.read.schema("id bigint, visits tinyint").json(at("some.jsonl")), {}, "do not fit"),
            (self.spark.read.schema("id bigint, visits float").csv(at("raw.csv")), {}, "float"),
            (self.input.withColumn("visits", F.col("visits") > 3), {}, "is of type boolean"),
            (self.input.select("id", "visits", F.expr("make_ym_interval(1, 2) AS i")), {"passed": ["i"]}, "cannot hand to Python"),
            (self.input.select("id", "visits", "visits"), {}, "two columns are called"),
            (self.input.where("to_date(concat('to', 'day')) > '2024-01-01'"), {}, "the time of day"),
            (self.spark.read.text(at("raw.csv")).selectExpr("1 as id", "2 as visits"), {}, "TextFileFormat"),
            (from_csv(mode="FAILFAST"), {}, "whether there is an error"),
            (from_csv(columnNameOfCorruptRecord="bad"), {}, "columnnameofcorruptrecord"),
            (from_csv(encoding="UTF-16"), {}, "other bytes"),
            (self.input.where("id % 60 >= second(cast('now' as timestamp))"), {}, "the time of day"),
            (laid_out, {}, "laid out by the protected"),
            (raw, {}, "_corrupt_record"),
            (raw.where("_corrupt_record is null").drop("_corrupt_record"), {}, "looks at the protected"),
            (bucketed, {}, "laid out by the protected"),
            (inner.where("p.visits = 5").drop("p"), {}, "looks at the protected"),
            (inner.sort("p").drop("p"), {}, "looks at the protected"),
            (inner.where("m['a'] > 3").drop("m", "p"), {}, "looks at the protected"),
            (self.input.where("id > hour(try_cast('now' as timestamp))"), {}, "the time of day"),
            (from_csv(mode="DROPMALFORMED"), {}, "DROPMALFORMED"),
            (from_csv(nullValue="2"), {}, "would tell who has this value"),
            (self.spark.read.csv([at("named.csv"), at("other-way.csv")], header=True, inferSchema=True), {}, "header of a CSV"),
            (from_csv(comment="5"), {}, "numbers are made of"),
            (from_csv(ignoreCorruptFiles=True), {}, "ignorecorruptfiles"),
            (self.spark.read.option("orc.force.positional.evolution", True).orc(at("in.orc")), {}, "orc.force.positional.evolution"),
            (self.input.where("_metadata.file_size > 9"), {}, "looks at the protected|_metadata"),
            (self.spark.read.csv(at("named.csv"), header=True, schema="id bigint, score bigint, visits bigint"), {}, "header of a CSV"),
            (two.where("income > 50").drop("income"), {"dataset": "two"}, "looks at the protected 'income'"),
            (two.sort("income").drop("income"), {"dataset": "two"}, "looks at the protected 'income'"),
            (two.withColumn("much", F.col("income") > 9).drop("income"), {"dataset": "two", "passed": ["much"]}, "computed from a protected"),
            (
                self.input.drop("region").withColumn("region", F.lit("N")),
                {"dataset": "split", "part": "N", "passed": ["region"]},
                "no plain column",
            ),
            (
                renamed.drop("region").withColumnRenamed("zone", "region"),
                {"dataset": "split", "part": "S"},
                "is called \"zone\"",
            ),
            (self.input.sort("visits"), {}, "looks at the protected"),
            (self.input.withColumn("now", F.current_timestamp()), {}, "CurrentTimestamp"),
            (self.input.withColumn("u", F.udf(lambda x: x)("region")), {}, "PythonUDF"),
            (self.input.withColumn("x", F.rand()), {"pinned": "version 7"}, "expression"),
            ([1, 2], {}, "expected a DataFrame"),
            (self.input, {"id": "nothing"}, "nothing"),
            (self.input, {"command": "no-such-discreet"}, "no command"),
            (self.input.withColumn("more", F.struct("region")), {}, "nested"),
            (self.input.withColumnRenamed("region", " Visits"), {}, "protects"),
            (self.input, {"dataset": "others"}, "others"),
        ]
        with self.assertRaisesRegex(DiscreetError, "in a block: with release"):
            release(self.input, ["visits"], **OPTIONS).write
        typed = {**OPTIONS, "ledger": "nowhere.db"}
        with self.assertRaisesRegex(DiscreetError, r"discreet ledger init --ledger \S*nowhere.db --dataset visits"):
            release(self.input, ["visits"], output=output(), **typed).__enter__()
        with self.assertRaisesRegex(DiscreetError, r'passed=\["more"\]'):
            nested = self.input.withColumn("more", F.struct("region"))
            release(nested, ["visits"], output=output(), **OPTIONS).__enter__()
        with self.assertRaisesRegex(DiscreetError, "laid out by the protected 'visits'"):
            one = self.spark.read.parquet(at("two-laid.parquet/visits=3"))
            release(one, ["income"], output=output(), **{**OPTIONS, "dataset": "two"}).__enter__()
        self.assertEqual(_inside(ExamplePointUDT()), ["value"])
        for df, more, words in cases:
            with self.subTest(words=words), self.assertRaisesRegex(DiscreetError, words):
                release(df, ["visits"], output=output(), **{**OPTIONS, **more}).__enter__()
        with self.assertRaisesRegex(Refused, "beyond its budget"):
            release(self.input, ["visits"], output=output(), **{**OPTIONS, "epsilon": 550}).__enter__()
        self.assertEqual(len(entries()), before)

    def test_dense_sparse_and_text_ids(self):
        for change in [F.col("id") * 3, F.col("id") * 10**12, F.concat(F.lit("p"), "id"), -F.col("id")]:
            self.assertEqual(check_ids(self.input.withColumn("id", change), "id"), 4000)
        for width in ["int", "smallint"]:
            self.assertEqual(check_ids(self.input.withColumn("id", F.col("id").cast(width)), "id"), 4000)
        text = kept(self.input.withColumn("id", F.concat(F.lit("p"), "id")), "text.parquet")
        with release(text, ["visits"], output=output(), **OPTIONS) as released:
            self.assertEqual(len({row[0] for row in released.collect()}), 4000)

    def test_missing_node_is_told(self):
        folder = at("no-node")
        os.makedirs(folder, exist_ok=True)
        script = os.path.join(folder, "discreet")
        with open(script, "w") as file:
            file.write("#!/usr/bin/env no-such-node\n")
        os.chmod(script, 0o755)
        with self.assertRaisesRegex(DiscreetError, "Node is missing"):
            release(self.input, ["visits"], **{**OPTIONS, "command": script}).__enter__()

    def test_what_fails_stays_charged(self):
        before = len(entries())
        many = F.when(F.col("id") == 77, "many").otherwise(F.col("visits").cast("string"))
        words = kept(self.input.withColumn("visits", many), "words.parquet")
        with self.assertRaisesRegex(Exception, "expected a number, got a word"):
            with release(words, ["visits"], output=output(), **OPTIONS) as released:
                released.collect()
        self.assertEqual((len(entries()), entries()[-1]["state"]), (before + 1, "abort"))
        changing = rows(self.spark, 100, "changing.parquet", 1)
        path = glob.glob(at("changing.parquet/part-*"))[0]
        with self.assertRaisesRegex(DiscreetError, "changed, added or removed"):
            with release(changing, ["visits"], output=output(), **OPTIONS) as released:
                released.collect()
                with open(path, "ab") as file:
                    file.write(b" ")
        self.assertEqual((len(entries()), entries()[-1]["state"]), (before + 2, "abort"))
        with self.assertRaisesRegex(DiscreetError, "to its end"):
            with release(self.input, ["visits"], output=output(), **OPTIONS):
                pass
        self.assertEqual((len(entries()), entries()[-1]["state"]), (before + 3, "abort"))

    def test_what_a_cache_hides_and_all_of_a_union_is_pinned(self):
        other = kept(rows(self.spark, 5, "few.parquet", 1).selectExpr("id + 1000 AS id", "region", "visits"), "other.parquet")
        hidden = rows(self.spark, 100, "cached.parquet", 1).union(other)
        hidden.cache().count()
        with self.assertRaisesRegex(DiscreetError, "cached"):
            release(hidden, ["visits"], output=output(), **OPTIONS).__enter__()
        hidden.unpersist()
        releasing = release(hidden, ["visits"], output=output(), **OPTIONS)
        with self.assertRaisesRegex(DiscreetError, "changed, added or removed"):
            with releasing as released:
                released.collect()
                shutil.rmtree(at("other.parquet"))
        self.assertRegex(entries()[-1]["keyed"]["pinned"], r"^\d+ files")
        self.assertEqual(entries()[-1]["state"], "abort")
        with self.assertRaises(Exception):
            released.select("id").collect()

    def test_columns_that_pass_and_parts(self):
        nested = kept(self.input.withColumn("more", F.array("region")), "nested.parquet")
        by_column = {**OPTIONS, "epsilon": {"visits": 0.5}, "step": {"visits": 1}, "adjacency": {"visits": 5}}
        with self.assertRaisesRegex(DiscreetError, r'step=\{"visits": 100\}'):
            release(nested, "visits", passed=["more"], output=output(), step=100, **OPTIONS).__enter__()
        with release(nested, "visits", passed=["more"], output=output(), **by_column) as released:
            self.assertEqual(released.count(), 4000)
        self.assertEqual(entries()[-1]["input"], "nested.parquet")
        whole = {**OPTIONS, "id": None}
        with release(nested.checkpoint(), "visits", passed=["more"], output=output(), **whole) as released:
            self.assertEqual(released.count(), 4000)
        own = {**OPTIONS, "dataset": "parts"}
        discreet(
            *("ledger", "init", "--ledger", LEDGER, "--dataset", "parts", "--epsilon", "9"),
            *("--adjacency", "visits=5", "--partition", "region=N,S"),
        )
        with release(self.input.where("region = 'N'"), ["visits"], part="N", output=output(), **own) as released:
            self.assertEqual(released.count(), 2000)
        with self.assertRaisesRegex(Exception, "another"):
            with release(self.input, ["visits"], part="N", output=output(), **own) as released:
                released.collect()

    def test_pinned_as_stated(self):
        table = self.spark.createDataFrame([(i, i % 7) for i in range(50)], ["id", "visits"])
        with release(table, ["visits"], pinned="version 12 of visits", output=output(), **OPTIONS) as released:
            self.assertEqual(released.count(), 50)
        self.assertEqual(entries()[-1]["keyed"]["pinned"], "as stated: version 12 of visits")

    def test_counts(self):
        before = len(entries())
        options = {"dataset": "visits", "ledger": LEDGER, "epsilon": 2}
        found = count(self.input, ["region", "visits"], {"region": ["N", "S", "E"], "visits": range(0, 8)}, **options)
        cells = {(row["region"], row["visits"]): row["count"] for row in found.collect()}
        self.assertEqual(len(cells), 24)
        truth = {(r["region"], r["visits"]): r["count"] for r in self.input.groupBy("region", "visits").count().collect()}
        for cell, noisy in cells.items():
            self.assertLess(abs(noisy - truth.get(cell, 0)), 150)
        self.assertEqual((len(entries()), entries()[-1]["act"]), (before + 1, "count"))
        odd = self.input.select((F.col("id") % 2).cast("double").alias("d"), (F.col("id") % 4 == 0).alias("b"))
        doubles = count(odd, "d", {"d": [0.0, 1.0, 2.5]}, **options).collect()
        self.assertTrue(all(abs(row["count"] - truth) < 150 for row, truth in zip(doubles, [2000, 2000, 0])))
        truths = count(odd, "b", {"b": [True, False]}, **options).collect()
        self.assertTrue(all(abs(row["count"] - truth) < 150 for row, truth in zip(truths, [1000, 3000])))
        with self.assertRaisesRegex(DiscreetError, "not read from the data"):
            count(self.input, "region", {}, **options)
        with self.assertRaises(Refused):
            count(self.input, "region", {"region": ["N"]}, **{**options, "epsilon": 550})

    def test_counts_of_rows_that_are_there_once(self):
        os.symlink(at("in.parquet"), at("link.parquet"))
        os.makedirs(at("hard.parquet"))
        for path in glob.glob(at("in.parquet/part-*")):
            os.link(path, at(f"hard.parquet/{os.path.basename(path)}"))
        domain = {"region": ["N", "S"]}
        options = {"epsilon": 1, "dataset": OPTIONS["dataset"], "ledger": LEDGER}
        for df, words in [
            (self.input.union(self.input), "Union"),
            (self.input.withColumn("k", F.explode(F.sequence(F.lit(1), F.lit(9)))), "Generate"),
            (self.input.join(self.input.select("id"), "id"), "Join"),
            (self.spark.read.parquet(*[at("in.parquet")] * 3), "read twice"),
            (self.spark.read.parquet(at("in.parquet"), at("link.parquet")), "read twice"),
            (self.spark.read.parquet(at("in.parquet"), at("hard.parquet")), "read twice"),
            (self.input.where("visits > 3"), "looks at the protected"),
            (self.input.withColumn("region", F.when(F.col("visits") > 3, "N").otherwise("S")), "computed from a protected"),
        ]:
            with self.subTest(words=words), self.assertRaisesRegex(DiscreetError, words):
                count(df, "region", domain, **options)
        with self.assertRaisesRegex(DiscreetError, "there is none"):
            count(self.input, "region", domain, **{**options, "ledger": "nowhere.db"})

    def test_ordinary_frames_pass(self):
        self.input.write.mode("overwrite").saveAsTable("plain")
        with open(at("spoken.csv"), "w", encoding="latin1") as file:
            file.write("id;région;visits\n1;Nîmes;3\n2;NA;5\n")
        os.makedirs(at("my data 100%"))
        shutil.copy(at("spoken.csv"), at("my data 100%/a b.csv"))
        with open(at("my data 100%/a b.csv"), "w") as file:
            file.write("id,visits\n1,3\n2,5\n")
        narrow = kept(self.spark.sql("SELECT cast(9000 AS int) AS id, 'N' AS region, cast(3 AS int) AS visits"), "narrow.parquet")
        with open(at("spoken.jsonl"), "w") as file:
            file.write('{"id": 1, "visits": 3}\n{"id": 2, "visits": null}\n')
        self.spark.sql("CREATE OR REPLACE VIEW seen AS SELECT id, region, visits FROM plain WHERE id < 100")
        for df, many in [
            (self.spark.table("seen"), 100),
            (self.spark.sql("WITH p AS (SELECT * FROM plain WHERE id < 50) SELECT id, visits FROM p"), 50),
            (self.input.where("region = 'N'").sort("id").coalesce(1), 2000),
            (self.input.where("upper(region) LIKE 'N%' AND id % 4 = 0").withColumn("zone", F.col("region")).drop("zone"), 1000),
            (self.input.dropna(subset=["region"]), 4000),
            (self.spark.read.csv(at("spoken.csv"), header=True, sep=";", encoding="ISO-8859-1", nullValue="NA", inferSchema=True), 2),
            (self.spark.read.json(at("spoken.jsonl")), 2),
            (self.spark.read.csv(at("my data 100%/a b.csv"), header=True, inferSchema=True), 2),
            (self.input.where("id BETWEEN 1 AND 9 AND isnan(id) = false"), 9),
            (self.input.union(narrow), 4001),
        ]:
            with release(df, ["visits"], output=output(), **OPTIONS) as released:
                self.assertEqual(released.count(), many)

    def test_rows_come_by_their_ids_whatever_files_hold(self):
        orders = []
        for value in (1, 10**15):
            folder = at(f"sizes-{value}")
            for i, part in enumerate(([3, 1], [4, 2])):
                first = self.spark.createDataFrame([(id, value if i == 0 else 1) for id in part], "id bigint, visits bigint")
                first.coalesce(1).write.mode("append").csv(folder)
            df = self.spark.read.csv(folder, schema="id bigint, visits bigint")
            with release(df, ["visits"], output=output(), **OPTIONS) as released:
                orders.append([row["id"] for row in released.collect()])
            with release(df, ["visits"], output=output(), input_order=True, **OPTIONS) as released:
                released.collect()
            self.assertIn("in the order in which Spark reads", entries()[-1]["keyed"]["pinned"])
        self.assertEqual(orders, [[1, 2, 3, 4]] * 2)

    def test_files_that_change_in_between(self):
        read = rows(self.spark, 50, "between.parquet", 1)
        shutil.rmtree(at("between.parquet"))
        rows(self.spark, 90, "between.parquet", 1)
        with self.assertRaisesRegex(Exception, "changed since|not exist"):
            release(read, ["visits"], output=output(), **OPTIONS).__enter__()
        steady = rows(self.spark, 50, "steady.parquet", 1)
        path = glob.glob(at("steady.parquet/part-*"))[0]
        with open(path, "rb") as file:
            kept_bytes = file.read()
        with self.assertRaisesRegex(DiscreetError, "changed, added or removed"):
            with release(steady, ["visits"], output=output(), **OPTIONS) as released:
                released.collect()
                for content in (b"something else", kept_bytes):
                    with open(path, "wb") as file:
                        file.write(content)
        # What comes beside it is no change: the ledger or the output may lie there.
        steady = rows(self.spark, 50, "steady-again.parquet", 1)
        with release(steady, ["visits"], output=at("steady-again.parquet/_out"), **OPTIONS) as released:
            released.write.parquet(at("steady-again.parquet/_written"))
        steady = self.spark.read.parquet(at("steady-again.parquet"))
        stopped = release(steady, ["visits"], output=output(), **OPTIONS)
        with self.assertRaises(Exception):
            with stopped as released:
                raise RuntimeError("enough")
        with self.assertRaisesRegex(DiscreetError, "done once"):
            stopped.__enter__()

    def test_law(self):
        """A million draws for the G-test, which whoever runs this makes."""
        target = os.environ.get("DISCREET_TEST_NOISE")
        many = kept(self.spark.range(0, 1_000_000, 1, 2).select("id", F.lit(40).alias("visits")), "many.parquet")
        out = output()
        with release(many, ["visits"], output=out, **OPTIONS) as released:
            counts = {int(r["visits"]) - 40: r["count"] for r in released.groupBy("visits").count().collect()}
        self.assertEqual(sum(counts.values()), 1_000_000)
        if target:
            with open(f"{out}.mechanism.json") as file:
                mechanism = json.load(file)
            with open(target, "w") as file:
                json.dump({"counts": counts, "mechanism": mechanism}, file)


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
