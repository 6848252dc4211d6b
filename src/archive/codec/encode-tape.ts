import type { PrintColumns } from '../../market/print.ts'
import type { Series } from '../../market/series.ts'
import type { Fidelity, StoredTape, TapeId, TapeTable, TapeText } from '../store.ts'
import { float, text } from './tab-separated.ts'

/** Columns of the rows that are written, by table. */
export const tapeColumns: Readonly<Record<TapeTable, readonly string[]>> = {
  option_tape: printFields(),
  stock_tape: printFields(),
  tape_series: ['symbol', 'session', 'instrument', 'expiration', 'root', 'settlement', 'strike', 'right', 'adjusted'],
  tapes: ['symbol', 'session', 'kind', 'source', 'unit', 'fidelity']
}

function printFields(): readonly string[] {
  return [
    'symbol',
    'session',
    'position',
    'known',
    'behind',
    'sequence',
    'instrument',
    'price',
    'size',
    'bid',
    'ask',
    'spot',
    'flags',
    'judged',
    'exchange'
  ]
}

/** A stretch of a tape to be written. */
export interface TapeStretch extends TapeId, Pick<StoredTape, 'source' | 'unit'> {
  readonly prints: PrintColumns
  /** Rows `from` to `to` of the prints; the first of them has this position on the tape. */
  readonly from: number
  readonly to: number
  readonly position: number
  /** What the tape is has not been written yet. */
  readonly withHead: boolean
  readonly series: Series
  /** Series from this number on have not been written yet. */
  readonly firstSeries: number
}

/** Gathers rows of tapes as text, a table to a text. */
export class TapeWriter {
  readonly #fidelity: Fidelity
  readonly #text: Record<TapeTable, string> = { option_tape: '', stock_tape: '', tape_series: '', tapes: '' }
  /** Characters so far. */
  size = 0

  constructor(fidelity: Fidelity = 'recorded') {
    this.#fidelity = fidelity
  }

  add(stretch: TapeStretch): void {
    const { symbol, session, kind, source, unit, withHead, firstSeries } = stretch
    const name = `${text(symbol)}\t${session}\t`
    if (withHead) this.#append('tapes', `${name}${kind}\t${source}\t${float(unit)}\t${this.#fidelity}\n`)
    if (kind === 'option') this.#append('tape_series', seriesText(name, stretch.series, firstSeries))
    this.#append(kind === 'option' ? 'option_tape' : 'stock_tape', printText(name, stretch))
  }

  /** What was gathered, as bytes; nothing is left. */
  take(): TapeText {
    const encoder = new TextEncoder()
    const taken: Partial<Record<TapeTable, Uint8Array>> = {}
    for (const table of Object.keys(this.#text) as TapeTable[]) {
      if (this.#text[table] !== '') taken[table] = encoder.encode(this.#text[table])
      this.#text[table] = ''
    }
    this.size = 0
    return taken
  }

  #append(table: TapeTable, rows: string): void {
    this.#text[table] += rows
    this.size += rows.length
  }
}

function printText(name: string, { prints, from, to, position }: TapeStretch): string {
  const { known, ts, sequence, instrument, price, size, bid, ask, spot, flags, judged, exchange } = prints
  let rows = ''
  for (let k = from; k < to; k++) {
    rows +=
      `${name}${position + k - from}\t${known[k]}\t${known[k] - ts[k]}\t${sequence[k]}\t${instrument[k]}\t${price[k]}\t` +
      `${size[k]}\t${bid[k]}\t${ask[k]}\t${spot[k]}\t${flags[k]}\t${judged[k]}\t${exchange[k]}\n`
  }
  return rows
}

function seriesText(name: string, series: Series, first: number): string {
  let rows = ''
  for (let k = first; k < series.length; k++) {
    const { date, root, settlement } = series.expirations[series.expiration[k]]
    rows +=
      `${name}${k}\t${date}\t${text(root)}\t${settlement}\t${float(series.strike[k])}\t${series.right[k]}\t` +
      `${series.adjusted[k]}\n`
  }
  return rows
}
