/** Growth factor of full arrays. Doubling would waste too much memory on the tapes of a whole market. */
const GROWTH = 1.25

/** Length of the array that replaces a full one of `length` elements; `least` elements at least. */
export function grownLength(length: number, least = 0, growth = GROWTH): number {
  return Math.max(least, Math.ceil(growth * length))
}
