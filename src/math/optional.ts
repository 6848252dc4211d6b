/** Arithmetic on values that may be missing: undefined if an operand is undefined or the divisor is 0. */

export function difference(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b
}

export function ratio(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole
}

export function percentOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : (100 * part) / whole
}

export function inPercent(fraction: number | undefined): number | undefined {
  return fraction === undefined ? undefined : 100 * fraction
}
