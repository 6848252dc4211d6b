/** Factor of growth: doubling would waste too much memory on the tapes of a whole market. */
const GROWTH = 1.25

/** Length of the columns that replace full ones; `least` rows at least. */
export function grownLength(length: number, least = 0): number {
  return Math.max(least, Math.ceil(GROWTH * length))
}
