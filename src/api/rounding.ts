/** The powers of ten that a double holds exactly: looking one up is ten times as fast as raising to it. */
export const powers = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/**
 * Rounds to a number of decimals, half away from zero. What is half is judged by the shortest decimal that reads as the
 * number: 1.005 is, though the double behind it lies below. Never a negative zero.
 */
export function roundTo(x: number, decimals: number): number {
  const size = Math.abs(x)
  const scale = powers[decimals] ?? 10 ** decimals
  const scaled = size * scale
  const whole = Math.floor(scaled)
  // The product may be off by a unit in its last place, so near a half the digits decide. Powers of ten are exact to 22.
  const clear = Math.abs(scaled - whole - 0.5) > scaled * 2 ** -51
  const rounded =
    clear && scaled < 2 ** 52 && decimals >= 0 && decimals <= 22
      ? Math.round(scaled) / scale
      : roundDigits(size, decimals)
  return x < 0 ? 0 - rounded : rounded
}

/** Rounds to a number of significant digits, half away from zero. */
export function roundToSignificant(x: number, digits: number): number {
  return roundTo(x, decimalsFor(x, digits))
}

/** The decimals with which a number has so many significant digits: fewer than none where it is larger. */
export function decimalsFor(x: number, digits: number): number {
  if (x === 0) return 0
  const size = Math.abs(x)
  const logarithm = Math.log10(size)
  // The logarithm of a number just below a power of ten rounds up to that of the power.
  const exponent =
    Number.isInteger(logarithm) && size < Number(`1e${logarithm}`) ? logarithm - 1 : Math.floor(logarithm)
  return digits - 1 - exponent
}

/** The slow road: through the decimal digits, exact for every finite size. */
function roundDigits(size: number, decimals: number): number {
  const [mantissa, exponent] = size.toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const kept = Number(exponent) + decimals + 1
  if (kept >= digits.length) return size
  if (kept < 0) return 0
  const up = digits[kept] >= '5' ? 1n : 0n
  const rounded = Number(`${BigInt(digits.slice(0, kept)) + up}e${-decimals}`)
  return rounded === Infinity ? size : rounded // the last figures a double can hold have nothing above them
}
