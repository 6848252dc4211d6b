/** Limits x to the range from 0 to 1. */
export function withinUnit(x: number): number {
  return Math.min(1, Math.max(0, x))
}
