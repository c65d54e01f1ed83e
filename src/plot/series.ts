// What a chart is drawn from: plain data.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Axes {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly logX?: boolean;
  readonly logY?: boolean;
  /** In pixels: 760 by default; below 500 names stand above the picture instead of beside their lines. */
  readonly width?: number;
  readonly height?: number;
  /** Without a dot at each point. */
  readonly smooth?: boolean;
  /** One place to show. */
  readonly mark?: Point & { readonly text: string };
}
