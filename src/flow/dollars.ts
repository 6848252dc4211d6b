/** A price of a tape, a whole number of its unit, in USD: the double nearest to the decimal that was printed. */
export function dollars(price: number, unit: number): number {
  return price / Math.round(1 / unit)
}
