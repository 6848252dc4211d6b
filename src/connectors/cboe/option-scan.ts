import { decimalIn } from '../../market/decimal.ts'
import { type NewestTrade, takeTrade } from './newest-trade.ts'
import { isBefore, LAST_TRADE, type Layout, layoutOf, SYMBOL, UNREAD } from './option-layout.ts'
import { addOption, noOptions, type PayloadOptions } from './options.ts'

const BLANK = 32
const QUOTE = 34
const COMMA = 44
const CLOSING = 125

// Which bytes a plain text is made of, and which a number, null, true and false. A look at a table is the quickest test.
const textBytes = bytesFitting(/[ -~]/, /["\\[\]]/)
const numberBytes = bytesFitting(/[-+.\w]/)

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
  for (;;) {
    at = scanOption(bytes, at, layout, options, trades)
    if (at < 0) return undefined
    at = pastBlanks(bytes, at)
    if (at === end) return options
    if (bytes[at] !== COMMA) return undefined
    at = pastBlanks(bytes, at + 1)
  }
}

/** Reads the contract that begins at `from` and returns where it ends, -1 where it cannot be read. */
function scanOption(bytes: Buffer, from: number, layout: Layout, options: PayloadOptions, trades: NewestTrade): number {
  const { starts, slots } = layout
  const first = addOption(options, undefined)
  const { symbols, figures } = options
  let at = from
  for (let k = 0; k < slots.length; k++) {
    if (!isBefore(layout, k, bytes, at)) return -1
    at += starts[k + 1] - starts[k]
    const slot = slots[k]
    if (bytes[at] === QUOTE) {
      const start = at + 1
      at = pastRun(bytes, start, textBytes)
      if (bytes[at] !== QUOTE) return -1
      if (slot === SYMBOL) symbols[symbols.length - 1] = bytes.toString('latin1', start, at)
      else if (slot === LAST_TRADE) takeTradeAt(bytes, start, at, trades)
      else if (slot !== UNREAD) figures[first + slot] = Number.NaN
      at++
    } else {
      const start = at
      at = pastRun(bytes, start, numberBytes)
      if (slot !== UNREAD && slot < SYMBOL) {
        const figure = figureIn(bytes, start, at)
        if (figure === undefined) return -1
        figures[first + slot] = figure
      }
    }
  }
  at = pastBlanks(bytes, at)
  return bytes[at] === CLOSING ? at + 1 : -1
}

/** 1 for every byte whose character fits, but not the other expression. */
function bytesFitting(fitting: RegExp, but = /$^/): Uint8Array {
  const characters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
  return Uint8Array.from(characters, (character) => Number(fitting.test(character) && !but.test(character)))
}

/** Where the bytes end that a table marks. No table marks the bracket behind the last contract. */
function pastRun(bytes: Buffer, from: number, marked: Uint8Array): number {
  let at = from
  while (marked[bytes[at]] === 1) at++
  return at
}

/** The number that stands there, NaN for none, undefined for anything else. */
function figureIn(bytes: Buffer, start: number, end: number): number | undefined {
  const figure = decimalIn(bytes, start, end)
  if (!Number.isNaN(figure)) return figure
  const text = bytes.toString('latin1', start, end)
  if (text === 'null') return Number.NaN
  return /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text) ? Number(text) : undefined
}

/** Most trades are older than the newest so far: their time is not even made a text. */
function takeTradeAt(bytes: Buffer, start: number, end: number, trades: NewestTrade): void {
  const { text } = trades
  let at = start
  while (at < end && bytes[at] === text.charCodeAt(at - start)) at++
  const isNewer = at - start === text.length ? at < end : at < end && bytes[at] > text.charCodeAt(at - start)
  if (isNewer) takeTrade(trades, bytes.toString('latin1', start, end))
}

function pastBlanks(bytes: Buffer, from: number): number {
  let at = from
  while (bytes[at] === BLANK || (bytes[at] >= 9 && bytes[at] <= 13)) at++
  return at
}
