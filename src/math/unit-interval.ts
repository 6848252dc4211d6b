export function withinUnit(x: number): number {
  return Math.min(1, Math.max(0, x))
}
