const MINUS = '\u2212'
const THIN = '\u2009'
/** Shown for a figure that does not exist. A missing figure is never 0. */
export const NONE = '–'

type Figure = number | null | undefined
type Sign = 'plain' | 'signed'

const UNITS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K']
] as const

function signOf(value: number, sign: Sign): string {
  return value < 0 ? MINUS : sign === 'signed' ? '+' : ''
}

/** Formats 10,912,353,195 as "10.9 B", to `digits` significant digits. */
export function short(value: Figure, sign: Sign = 'plain', digits = 3): string {
  if (value === null || value === undefined) return NONE
  const size = Math.abs(value)
  const at = UNITS.findIndex(([least]) => size >= least)
  const [divisor, unit] = at < 0 ? [1, ''] : UNITS[at]!
  const text = inDigits(size / divisor, digits, unit === '' && Number.isInteger(value))
  // 999,950 becomes 1.00 M rather than 1,000 K.
  const larger = at < 0 ? UNITS.at(-1) : UNITS[at - 1]
  if (Number(text) >= 1000 && larger !== undefined) return short(Math.sign(value) * larger[0], sign, digits)
  return `${signOf(value, sign)}${text}${unit && THIN + unit}`
}

function inDigits(size: number, digits: number, isWhole: boolean): string {
  const before = Math.floor(Math.log10(Math.max(size, 1))) + 1
  return size.toFixed(isWhole ? 0 : Math.min(2, Math.max(0, digits - before)))
}

/** Dollars: −$644 M. */
export function usd(value: Figure, sign: Sign = 'plain', digits = 3): string {
  if (value === null || value === undefined) return NONE
  return `${signOf(value, sign)}$${short(Math.abs(value), 'plain', digits)}`
}

/** A price of the underlying, always with cents. */
export function price(value: Figure): string {
  return value === null || value === undefined ? NONE : withDecimals(value, 2, 2)
}

/** A price range: 686.26 – 692.14. */
export function range(low: Figure, high: Figure): string {
  if (low === null || low === undefined || high === null || high === undefined) return NONE
  return `${price(low)}${THIN}–${THIN}${price(high)}`
}

/** A strike or level: 700 and 672.24, never 700.00. */
export function level(value: Figure): string {
  if (value === null || value === undefined) return NONE
  return withDecimals(value, Number.isInteger(value) ? 0 : 2, 2)
}

/** A figure that is in percent already: +1.5 %. */
export function percent(value: Figure, sign: Sign = 'signed', decimals = 1): string {
  return value === null || value === undefined ? NONE : `${fixed(value, decimals, sign)}${THIN}%`
}

/** A number with a fixed count of decimals. */
export function fixed(value: Figure, decimals: number, sign: Sign = 'plain'): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE
  const text = withDecimals(Math.abs(value), decimals, decimals)
  return Number(text.replaceAll(',', '')) === 0 ? text : signOf(value, sign) + text
}

function withDecimals(value: number, least: number, most: number): string {
  const text = Math.abs(value).toLocaleString('en-US', { minimumFractionDigits: least, maximumFractionDigits: most })
  return value < 0 ? MINUS + text : text
}

const SPANS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's']
] as const

/** An age in its largest whole unit: 45 s, 3 min, 2 h. */
export function age(seconds: Figure): string {
  if (seconds === null || seconds === undefined) return NONE
  const [length, unit] = SPANS.find(([least]) => seconds >= least) ?? SPANS[3]
  return `${Math.floor(seconds / length)}${THIN}${unit}`
}
