// The variables of a programme for δ > 0: one for each cell, or for a cell and its mirror image; and far from the
// centre and from the ends one for all cells that are a multiple of the adjacency apart.

export interface Layout {
  /** Cells to the adjacency. */
  readonly adjacency: number;
  /** Cells lie on −reach … reach. */
  readonly reach: number;
  /** Beyond `from` and up to `to` (on both sides) a cell is what lies `adjacency` further in, divided by e^ε. */
  readonly from: number;
  readonly to: number;
  readonly symmetric: boolean;
  /** How many variables there are. */
  readonly count: number;
  /** The variable of a cell, and how much of it the cell has. */
  at(cell: number): { readonly variable: number; readonly factor: number };
}

/** Every cell for itself. */
export function freeLayout(adjacency: number, reach: number, symmetric: boolean): Layout {
  return {
    ...{ adjacency, reach, from: reach, to: reach, symmetric },
    count: symmetric ? reach + 1 : 2 * reach + 1,
    at: (cell) => ({ variable: symmetric ? Math.abs(cell) : cell + reach, factor: 1 }),
  };
}

/** Free to `centre` and one adjacency more, and from `end` to `reach`: between them tied. */
export function tiedLayout(
  adjacency: number,
  { centre, end, reach, growth }: { centre: number; end: number; reach: number; growth: number },
  symmetric: boolean,
): Layout {
  const from = Math.ceil(centre) + adjacency;
  const periods = Math.max(0, Math.floor((end - from) / adjacency));
  if (periods === 0) return freeLayout(adjacency, Math.ceil(reach), symmetric);
  const to = from + periods * adjacency;
  const last = Math.max(Math.ceil(reach), to + adjacency);
  const half = last - (to - from) + 1;
  return {
    ...{ adjacency, reach: last, from, to, symmetric },
    count: symmetric ? half : 2 * half - 1,
    at(cell) {
      const distance = Math.abs(cell);
      const further = distance <= from ? 0 : Math.ceil((Math.min(distance, to) - from) / adjacency);
      const own = distance <= to ? distance - further * adjacency : distance - (to - from);
      return {
        variable: symmetric ? own : half - 1 + Math.sign(cell) * own,
        factor: distance <= to ? growth ** -further : 1,
      };
    },
  };
}

/** Is the cell one of those that are tied to others? */
export function isTied({ from, to }: Layout, cell: number): boolean {
  const distance = Math.abs(cell);
  return distance > from && distance <= to;
}

/** About the multiplications of one step of the solver. */
export function workOf({ count, adjacency, reach, from, to, symmetric }: Layout, denseRows: number): number {
  const shifts = symmetric ? adjacency : 2 * adjacency;
  const rows = shifts * (2 * (reach - (to - from)) + 1 + 2 * adjacency);
  return (
    count ** 3 / 3 + (denseRows * count ** 2) / 2 + 6 * shifts * (count ** 2 + 2 * rows) + shifts ** 2 * count
  );
}
