import { decimalIn } from '../../../market/decimal.ts'
import { pastBareValue } from './bare-value.ts'
import { pastBlanks } from './blanks.ts'
import { type NewestTrade, takeTrade } from './newest-trade.ts'
import { isBefore, LAST_TRADE, type Layout, layoutOf, SYMBOL, UNREAD, viewOf } from './option-layout.ts'
import { addOption, noOptions, noteNoNumber, type PayloadOptions } from './options.ts'

const QUOTE = 34
const COMMA = 44
const LETTER_A = 97
const LETTER_N = 110
const CLOSING = 125

// 1 for every byte of which a plain text is made. A look at a table is the quickest test.
const textBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(/[ -~]/.test(String.fromCharCode(byte)) && !/["\\[\]]/.test(String.fromCharCode(byte)))
)

// Why this folder: it takes the contracts off their bytes where JSON.parse would make an object of each of them. With
// it an import of recorded payloads, read and written, went from 186,000 to between 353,000 and 402,000 contract rows a
// second. `parsePlainly` of `payload.ts` reads every payload without it; test/connectors/cboe/option-scan.test.ts
// compares the two.

/**
 * Reads the contracts of a payload between `start` and `end`, the brackets of their list, and their trade times into
 * `trades`. The exchange writes them all in one layout, with nothing nested; read as that, without the figures nobody
 * needs, they take two thirds of the time of JSON. Undefined where one is laid out differently from the first or holds
 * more than plain texts and numbers: JSON is then to read them, and to say what is wrong.
 */
export function scanOptions(
  bytes: Buffer,
  start: number,
  end: number,
  trades: NewestTrade
): PayloadOptions | undefined {
  const options = noOptions()
  let at = pastBlanks(bytes, start)
  if (at === end) return options
  const layout = layoutOf(bytes.toString('latin1', at, bytes.indexOf(CLOSING, at) + 1))
  if (layout === undefined) return undefined
  const view = viewOf(bytes)
  for (;;) {
    at = scanOption(bytes, view, at, layout, options, trades)
    if (at < 0) return undefined
    at = pastBlanks(bytes, at)
    if (at === end) return options
    if (bytes[at] !== COMMA) return undefined
    at = pastBlanks(bytes, at + 1)
  }
}

/** Reads the contract that begins at `from` and returns where it ends, -1 where it cannot be read. */
function scanOption(
  bytes: Buffer,
  view: DataView,
  from: number,
  layout: Layout,
  options: PayloadOptions,
  trades: NewestTrade
): number {
  const { starts, slots } = layout
  const first = addOption(options, undefined)
  const { symbols, figures } = options
  let at = from
  for (let k = 0; k < slots.length; k++) {
    if (!isBefore(layout, k, view, at)) return -1
    at += starts[k + 1] - starts[k]
    const slot = slots[k]
    if (bytes[at] === QUOTE) {
      const start = at + 1
      at = pastText(bytes, start)
      if (bytes[at] !== QUOTE) return -1
      if (slot === SYMBOL) symbols[symbols.length - 1] = bytes.toString('latin1', start, at)
      else if (slot === LAST_TRADE) takeTradeAt(bytes, start, at, trades)
      else if (slot !== UNREAD) {
        figures[first + slot] = Number.NaN
        noteNoNumber(options, slot)
      }
      at++
    } else {
      const start = at
      at = pastBareValue(bytes, start)
      if (at < 0) return -1
      if (slot !== UNREAD && slot < SYMBOL) {
        figures[first + slot] = figureIn(bytes, start, at)
        if (bytes[start] >= LETTER_A && bytes[start] !== LETTER_N) noteNoNumber(options, slot)
      }
    }
  }
  at = pastBlanks(bytes, at)
  return bytes[at] === CLOSING ? at + 1 : -1
}

/** Where a plain text ends: at the bracket behind the last contract at the latest, which is no byte of one. */
function pastText(bytes: Buffer, from: number): number {
  let at = from
  while (textBytes[bytes[at]] === 1) at++
  return at
}

/** The number of a bare value; NaN for null, true and false. */
function figureIn(bytes: Buffer, start: number, end: number): number {
  if (bytes[start] >= LETTER_A) return Number.NaN
  const figure = decimalIn(bytes, start, end)
  return Number.isNaN(figure) ? Number(bytes.toString('latin1', start, end)) : figure
}

/** Most trades are older than the newest so far: their time is not even made a text. */
function takeTradeAt(bytes: Buffer, start: number, end: number, trades: NewestTrade): void {
  const { text } = trades
  let at = start
  while (at < end && bytes[at] === text.charCodeAt(at - start)) at++
  const isNewer = at - start === text.length ? at < end : at < end && bytes[at] > text.charCodeAt(at - start)
  if (isNewer) takeTrade(trades, bytes.toString('latin1', start, end))
}
