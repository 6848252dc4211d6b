/** Rounded figures for sentences; each response that has such a sentence also has the figures unrounded. */

/** Formats US dollars in words, such as `$1.84 billion`, `-$320 million` or `$45,210`. */
export function money(usd: number): string {
  const size = Math.abs(usd)
  const sign = usd <= -0.5 ? '-' : ''
  if (size >= 1e9) return `${sign}$${trimmed(size / 1e9, 2)} billion`
  if (size >= 1e6) return `${sign}$${trimmed(size / 1e6, 1)} million`
  return `${sign}$${Math.round(size).toLocaleString('en-US')}`
}

/** Formats a price or strike with at most two decimals and without trailing zeros. */
export function level(price: number): string {
  return trimmed(price, 2)
}

/** Which side of a level a price is on, at the two decimals with which sentences print both. */
export function sideOfLevel(price: number, of: number): 'above' | 'below' | 'at' {
  const [one, other] = [Number(price.toFixed(2)), Number(of.toFixed(2))]
  return one === other ? 'at' : one > other ? 'above' : 'below'
}

/** Formats a percentage with at most two decimals, such as `12.5%`. */
export function percent(value: number): string {
  return `${trimmed(value, 2)}%`
}

/** Formats a whole number with thousands separators, such as `12,345`. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** Formats a count with its noun, such as `1 contract` or `12,345 contracts`. */
export function withNoun(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${Math.round(count) === 1 ? '' : 's'}`
}

/** Formats a volatility, or a difference of two, in vol points with one decimal, such as `18.4`. */
export function points(value: number): string {
  return trimmed(value, 1)
}

/** Formats a multiple or a fraction with two decimals, such as `1.42`. */
export function multiple(value: number): string {
  return trimmed(value, 2)
}

function trimmed(value: number, decimals: number): string {
  return `${Number(value.toFixed(decimals))}`
}
