const LONGEST = 200

/** A text of the vendor as a log may show it: without the key, on one line, and not long. */
export function masked(text: string, key: string): string {
  const without = key === '' ? text : text.replaceAll(key, '***')
  const line = without.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line
}
