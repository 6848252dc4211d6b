/** Rounded figures for sentences; each response that has such a sentence also has the figures unrounded. */

/** US dollars in words: $1.84 billion, -$320 million, $45,210. */
export function money(usd: number): string {
  const size = Math.abs(usd)
  const sign = usd <= -0.5 ? '-' : ''
  if (size >= 1e9) return `${sign}$${trimmed(size / 1e9, 2)} billion`
  if (size >= 1e6) return `${sign}$${trimmed(size / 1e6, 1)} million`
  return `${sign}$${Math.round(size).toLocaleString('en-US')}`
}

/** A price or strike with at most two decimals and no trailing zeros. */
export function level(price: number): string {
  return trimmed(price, 2)
}

/** A percentage with at most two decimals: 12.5%. */
export function percent(value: number): string {
  return `${trimmed(value, 2)}%`
}

/** A whole number with thousands separators: 12,345. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** A volatility or a difference of two in vol points with one decimal: 18.4. */
export function points(value: number): string {
  return trimmed(value, 1)
}

/** A multiple or fraction with two decimals: 1.42. */
export function multiple(value: number): string {
  return trimmed(value, 2)
}

function trimmed(value: number, decimals: number): string {
  return `${Number(value.toFixed(decimals))}`
}
