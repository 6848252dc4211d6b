/** Powers of ten that a double holds exactly. Looking one up is ten times as fast as computing it. */
export const powers = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/**
 * Rounds to a number of decimals, half away from zero. Whether a number is a half is read from its shortest decimal
 * text: 1.005 rounds up to 1.01, although the double is slightly smaller. Never returns -0.
 */
export function roundTo(x: number, decimals: number): number {
  const size = Math.abs(x)
  const scale = powers[decimals] ?? 10 ** decimals
  const scaled = size * scale
  const whole = Math.floor(scaled)
  // The product may be off by one unit in the last place, so near a half the decimal digits decide.
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

/** Number of decimals that gives `digits` significant digits; negative for large numbers. */
export function decimalsFor(x: number, digits: number): number {
  if (x === 0) return 0
  const size = Math.abs(x)
  const logarithm = Math.log10(size)
  // Just below a power of ten the logarithm rounds up, so it is corrected.
  const exponent =
    Number.isInteger(logarithm) && size < Number(`1e${logarithm}`) ? logarithm - 1 : Math.floor(logarithm)
  return digits - 1 - exponent
}

/** Rounds by the decimal digits of the number. This is slower, but exact for every finite number. */
function roundDigits(size: number, decimals: number): number {
  const [mantissa, exponent] = size.toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const kept = Number(exponent) + decimals + 1
  if (kept >= digits.length) return size
  if (kept < 0) return 0
  const up = digits[kept] >= '5' ? 1n : 0n
  const rounded = Number(`${BigInt(digits.slice(0, kept)) + up}e${-decimals}`)
  return rounded === Infinity ? size : rounded // near the largest double, rounding up would overflow
}
