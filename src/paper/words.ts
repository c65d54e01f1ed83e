// How verdicts tell their numbers.

/** Five digits; what is left by rounding is 0. */
export const short = (x: number) => String(Math.abs(x) < 1e-12 ? 0 : Number(x.toPrecision(5)));

/** A share in per cent, to a tenth. */
export const percent = (share: number) => `${Number((100 * share).toFixed(1))} %`;
