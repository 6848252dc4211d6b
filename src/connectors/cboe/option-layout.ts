import { figureNames } from './options.ts'

/** How the contracts of a payload are laid out: what stands before each value, from the brace or comma on. */
export interface Layout {
  /** The bytes before every value, one after the other: those before value k from `starts[k]` to `starts[k + 1]`. */
  readonly before: Uint8Array
  readonly starts: Int32Array
  /** Which figure a value is, SYMBOL, LAST_TRADE, or UNREAD for one that is passed over. */
  readonly slots: Int32Array
}

export const UNREAD = -1
export const SYMBOL = figureNames.length
export const LAST_TRADE = SYMBOL + 1
const names: readonly string[] = [...figureNames, 'option', 'last_trade_time']

/** The brace or comma, the name and the colon; the value, nothing nested. */
const field = /([{,]\s*"(\w+)"\s*:\s*)(?:"[^"\\]*"|[-+.\w]+)/y

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
  return { before: Buffer.from(found.map(([, before]) => before).join('')), starts, slots }
}

/**
 * Whether the bytes before value `k` stand at `at`. Of a field that nobody reads only the first and the last are
 * compared: were there another field in its place, those that are read would not follow where they should.
 */
export function isBefore({ before, starts, slots }: Layout, k: number, bytes: Uint8Array, at: number): boolean {
  const from = starts[k]
  const to = starts[k + 1]
  if (slots[k] === UNREAD) return bytes[at] === before[from] && bytes[at + to - from - 1] === before[to - 1]
  for (let i = from; i < to; i++) if (bytes[at + i - from] !== before[i]) return false
  return true
}
