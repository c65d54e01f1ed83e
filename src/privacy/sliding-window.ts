// The least element of a window that moves over a sequence, in amortised constant time per move.

export interface Windows {
  readonly count: number;
  /** Both ends move in one direction only; an empty window (low > high) has no least element. */
  readonly low: (n: number) => number;
  readonly high: (n: number) => number;
}

/** For each window the index of its least element, NaN where it is empty. */
export function slidingMinimum(below: (a: number, b: number) => boolean, windows: Windows): Float64Array {
  const { count, low, high } = windows;
  const least = new Float64Array(count);
  const queue: number[] = [];
  let head = 0;
  let next = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < count; n++) {
    const start = low(n);
    const end = high(n);
    for (let index = Math.max(next, start); index <= end; index++) {
      while (queue.length > head && !below(queue[queue.length - 1]!, index)) queue.pop();
      queue.push(index);
    }
    next = Math.max(next, end + 1);
    while (head < queue.length && queue[head]! < start) head++;
    if (head > 4096 && head * 2 > queue.length) {
      queue.splice(0, head);
      head = 0;
    }
    least[n] = head < queue.length && start <= end ? queue[head]! : Number.NaN;
  }
  return least;
}
