import type { Cancel, Print, TapeMessage } from '../../src/connectors/port/prints/print-feed.ts'
import { CANCEL, type Prints, sideOf, sides, type TapeKind } from '../../src/market/print.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import type { SymbolTapes } from '../../src/tape/symbol-tapes.ts'
import type { Tape } from '../../src/tape/tape.ts'
import { eastern } from '../support/hand-made.ts'

export const SPY = 'SPY' as Ticker
export const session = '2026-07-29' as IsoDate
export const call = 'SPY260821C00630000'
export const put = 'SPY260821P00630000'
export const at = (time: string): Instant => eastern(session, time)
export const noon = at('12:00')

let lastSequence = 0

/** A print of the call at noon, numbered in order of creation; `more` overrides its fields. */
export function printed(more: Partial<Print> = {}): { readonly print: Print } {
  const usual = { symbol: SPY, contract: call, time: noon, price: 1.05, size: 1, exchange: 1, flags: 0 }
  return { print: { ...usual, sequence: ++lastSequence, quote: undefined, spot: undefined, ...more } }
}

/** The cancel of a print, a second after it; `more` overrides its fields. */
export function cancelOf({ print }: { readonly print: Print }, more: Partial<Cancel> = {}): TapeMessage {
  const { symbol, contract, exchange, sequence, price, size, time } = print
  return { cancel: { symbol, contract, exchange, sequence, price, size, time: time + 1000, ...more } }
}

export function quoted(time: Instant, bid: number, ask: number, contract = call): TapeMessage {
  return { quote: { symbol: SPY, contract, time, bid, ask } }
}

export function stockQuoted(time: Instant, bid: number, ask: number): TapeMessage {
  return { quote: { symbol: SPY, contract: undefined, time, bid, ask } }
}

/** A row as tests write it. */
export interface Row {
  readonly ts: number
  readonly known: number
  readonly sequence: number
  readonly price: number
  readonly size: number
  readonly flags: number
  readonly side: (typeof sides)[number]
  readonly bid: number
  readonly ask: number
  readonly spot: number
}

/** The rows of some prints. Times in milliseconds. */
export function rowsOf(prints: Omit<Prints, 'length'>, from: number, to: number): readonly Row[] {
  return Array.from({ length: to - from }, (_, k) => {
    const { ts, known, sequence, price, size, flags, judged, bid, ask, spot } = prints
    const row = from + k
    return {
      ts: ts[row] / 1000,
      known: known[row] / 1000,
      sequence: sequence[row],
      price: price[row],
      size: size[row],
      flags: flags[row],
      side: sides[sideOf(judged[row])],
      bid: bid[row],
      ask: ask[row],
      spot: spot[row]
    }
  })
}

export const heldRows = ({ held: { prints, from, to } }: Tape) => rowsOf(prints, from, to)
export const rowsIn = (tapes: SymbolTapes, kind: TapeKind = 'option', date = session) =>
  heldRows(tapes.tape(kind, date))

export const isCancel = ({ flags }: Row) => (flags & CANCEL) !== 0

/** A view as plain data, its columns as text, which compares quickly; versions tell views apart and are left out. */
export function plain(view: object | undefined): unknown {
  if (view === undefined) return undefined
  const fields = Object.entries(view).filter(([name]) => name !== 'version')
  return Object.fromEntries(
    fields.map(([name, field]) => {
      if (ArrayBuffer.isView(field)) return [name, [...(field as Int32Array)].join()]
      return [name, name === 'prints' || name === 'series' ? plain(field) : field]
    })
  )
}
