/** Arithmetic on figures that may not exist: without an operand, or over a whole of 0, there is no result. */

/** a - b. */
export function difference(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b
}

/** part / whole. */
export function ratio(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole
}

/** A part in percent of the whole. */
export function percentOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : (100 * part) / whole
}

/** A fraction in percent. */
export function inPercent(fraction: number | undefined): number | undefined {
  return fraction === undefined ? undefined : 100 * fraction
}
