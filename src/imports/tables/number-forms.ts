/** The last one is the greatest whole number of 64 bits, which Databento writes for a price that does not exist. */
const absent = /^(|\.|-+|nan|na|n\/a|#n\/a|null|none|nil|<na>|nat|\\n|9223372036854775807)$/i

/** Whether a text means "no value": an empty text, a point (as in SAS), dashes, NaN, NA, null and the like. */
export function isAbsent(text: string): boolean {
  return absent.test(text)
}

const plain = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
/** Matches digits in groups of three, with a fraction or without. */
const blankGroups = /^([+-]?\d{1,3})((?: \d{3})+)((?:[.,]\d+)?)$/
const grouped = /^[+-]?\d{1,3}(?:([,'\u00a0\u202f])\d{3})(?:\1\d{3})*(\.\d+)?$/
const unitOf: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 }
const dressed = /^([+-]?)(?:\$|USD)? *([+-]?)([^$%() +-][^$%() ]*?) *(%|[KMB])?$/i

/**
 * Reads a number as files write it: 1234.5, `1,234.5`, `1 234.5`, `$504.05`, 25.3% (0.253), 1.2K, (12) for -12. NaN if the text
 * means "no value", undefined if it is anything else. With `hasComma` the decimal sign is a comma, and points may group
 * digits.
 */
export function numberIn(text: string, hasComma = false): number | undefined {
  if (isAbsent(text)) return Number.NaN
  if (/^\(.+\)$/.test(text)) {
    const value = numberIn(text.slice(1, -1), hasComma)
    return value === undefined || Number.isNaN(value) ? undefined : -value
  }
  const bare = text.replace(blankGroups, (_, first, groups, end) => `${first}${groups.replaceAll(' ', '')}${end}`)
  const [, before = '', after = '', digits, suffix = ''] = dressed.exec(bare) ?? []
  if (digits === undefined || (before !== '' && after !== '')) return undefined
  const value = digitsIn(hasComma ? swapped(digits) : digits)
  if (value === undefined) return undefined
  const signed = before === '-' || after === '-' ? -value : value
  const whole = suffix === '%' ? signed / 100 : signed * (unitOf[suffix.toLowerCase()] ?? 1)
  return Number.isFinite(whole) ? whole : undefined
}

function digitsIn(text: string): number | undefined {
  const bare = grouped.test(text) ? text.replaceAll(/[,'\u00a0\u202f]/g, '') : text
  if (!plain.test(bare)) return undefined
  const value = Number(bare)
  return Number.isFinite(value) ? value : undefined
}

const swapped = (text: string) => text.replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'))
