const TAB = 9
const NEWLINE = 10
const RETURN = 13
const BLANK = 32

/** Where the blanks of JSON that begin at `from` end (RFC 8259, 2). */
export function pastBlanks(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === BLANK || bytes[at] === NEWLINE || bytes[at] === RETURN || bytes[at] === TAB) at++
  return at
}
