import { figureNames } from './options.ts'

/** How the contracts of a payload are laid out: what stands before each value, from the brace or comma on. */
export interface Layout {
  /** The bytes before every value, one after the other: those before value k from `starts[k]` to `starts[k + 1]`. */
  readonly before: DataView
  readonly starts: Int32Array
  /** Which figure a value is, SYMBOL, LAST_TRADE, or UNREAD for one that is passed over. */
  readonly slots: Int32Array
}

export const UNREAD = -1
export const SYMBOL = figureNames.length
export const LAST_TRADE = SYMBOL + 1
const names: readonly string[] = [...figureNames, 'option', 'last_trade_time']

/** The brace of the first field or the comma of another, the name and the colon; the value, nothing nested. */
const field = /((?:^\{|(?!^),)[ \t\r\n]*"(\w+)"[ \t\r\n]*:[ \t\r\n]*)(?:"[^"\\]*"|[-+.\w]+)/y

/** The layout of a contract, from its text. Undefined where it lacks a field that is read, or has it twice. */
export function layoutOf(contract: string): Layout | undefined {
  const found: RegExpExecArray[] = []
  field.lastIndex = 0
  for (let match = field.exec(contract); match !== null; match = field.exec(contract)) found.push(match)
  const slots = Int32Array.from(found, ([, , name]) => names.indexOf(name))
  if (!names.every((_, slot) => slots.indexOf(slot) >= 0 && slots.indexOf(slot) === slots.lastIndexOf(slot))) {
    return undefined
  }
  const starts = new Int32Array(found.length + 1)
  for (const [k, [, before]] of found.entries()) starts[k + 1] = starts[k] + before.length
  const before = Buffer.from(found.map(([, text]) => text).join(''))
  return { before: viewOf(before), starts, slots }
}

/**
 * Whether the bytes before value `k` stand at `at`, all of them, whether the value is read or not. They are at least
 * five, `,"x":`, and are compared four at a time, which takes a third of the looks: the last four reach back.
 */
export function isBefore({ before, starts }: Layout, k: number, bytes: DataView, at: number): boolean {
  const from = starts[k]
  const last = starts[k + 1] - from - 4
  if (at + last + 4 > bytes.byteLength) return false
  for (let i = 0; i < last; i += 4) if (bytes.getInt32(at + i) !== before.getInt32(from + i)) return false
  return bytes.getInt32(at + last) === before.getInt32(from + last)
}

/** The same bytes, to be read four at a time. */
export function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}
