const PLUS = 43
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const LOWER_E = 101
const UPPER_E = 69

const literals = ['null', 'true', 'false'].map((word) => Buffer.from(word))

/**
 * Where the number, null, true or false ends that begins at `from`; -1 where none begins. What JSON refuses is none:
 * `007`, `.1` and `4.` (RFC 8259, 3 and 6). Whether the value goes on behind its end is seen by what has to follow it.
 */
export function pastBareValue(bytes: Uint8Array, from: number): number {
  const first = bytes[from] === MINUS ? from + 1 : from
  let at = bytes[first] === ZERO ? first + 1 : pastDigits(bytes, first)
  if (at === first) return pastLiteral(bytes, from)
  if (bytes[at] === POINT) {
    const decimals = at + 1
    at = pastDigits(bytes, decimals)
    if (at === decimals) return -1
  }
  return bytes[at] === LOWER_E || bytes[at] === UPPER_E ? pastExponent(bytes, at + 1) : at
}

function pastDigits(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] >= ZERO && bytes[at] <= NINE) at++
  return at
}

function pastExponent(bytes: Uint8Array, from: number): number {
  const first = bytes[from] === PLUS || bytes[from] === MINUS ? from + 1 : from
  const at = pastDigits(bytes, first)
  return at === first ? -1 : at
}

function pastLiteral(bytes: Uint8Array, from: number): number {
  for (const word of literals) {
    let k = 0
    while (k < word.length && bytes[from + k] === word[k]) k++
    if (k === word.length) return from + k
  }
  return -1
}
