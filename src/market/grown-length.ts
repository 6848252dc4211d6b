/** With the tapes of a whole market, room for twice as much would be memory. */
const GROWTH = 1.25

/** The length of columns that take the place of full ones, for `least` rows at least. */
export function grownLength(length: number, least = 0): number {
  return Math.max(least, Math.ceil(GROWTH * length))
}
