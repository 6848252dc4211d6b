import type { PrintColumns } from '../../market/print.ts'
import type { Series } from '../../market/series.ts'
import type { Fidelity, StoredTape, TapeId, TapeTable, TapeText } from '../history-store.ts'
import { PrintRows } from './print-rows.ts'
import { floatField, textField } from './tab-separated.ts'

/** For each table of a tape, the columns that are written. */
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
    'exchange',
    'above'
  ]
}

/** Part of a tape to be written. */
export interface TapeStretch extends TapeId, Pick<StoredTape, 'source' | 'unit'> {
  readonly prints: PrintColumns
  /** Rows `from` to `to` of the prints are written. `position` is the place of row `from` on the tape. */
  readonly from: number
  readonly to: number
  readonly position: number
  /** Whether the tape's row in the table `tapes` must be written too. */
  readonly withHead: boolean
  readonly series: Series
  /** Index of the first series that has not been written yet. */
  readonly firstSeries: number
}

/** Collects rows of tapes as text, by table. */
export class TapeWriter {
  readonly #fidelity: Fidelity
  readonly #prints = { option_tape: new PrintRows(), stock_tape: new PrintRows() }
  readonly #text = { tape_series: '', tapes: '' }

  constructor(fidelity: Fidelity = 'recorded') {
    this.#fidelity = fidelity
  }

  add(stretch: TapeStretch): void {
    const { symbol, session, kind, source, unit, withHead, firstSeries } = stretch
    const name = `${textField(symbol)}\t${session}\t`
    if (withHead) this.#text.tapes += `${name}${kind}\t${source}\t${floatField(unit)}\t${this.#fidelity}\n`
    if (kind === 'option') this.#text.tape_series += seriesText(name, stretch.series, firstSeries)
    const { prints, from, to, position } = stretch
    this.#prints[kind === 'option' ? 'option_tape' : 'stock_tape'].add(name, prints, from, to, position)
  }

  get size(): number {
    const { option_tape, stock_tape } = this.#prints
    return option_tape.length + stock_tape.length + this.#text.tape_series.length + this.#text.tapes.length
  }

  /** Returns the collected rows and begins a new collection. */
  take(): TapeText {
    const taken: Partial<Record<TapeTable, Uint8Array>> = {}
    for (const table of ['option_tape', 'stock_tape'] as const) {
      if (this.#prints[table].length > 0) taken[table] = this.#prints[table].take()
    }
    for (const table of ['tape_series', 'tapes'] as const) {
      if (this.#text[table] !== '') taken[table] = Buffer.from(this.#text[table])
      this.#text[table] = ''
    }
    return taken
  }
}

function seriesText(name: string, series: Series, first: number): string {
  let rows = ''
  for (let k = first; k < series.length; k++) {
    const { date, root, settlement } = series.expirations[series.expiration[k]]
    rows +=
      `${name}${k}\t${date}\t${textField(root)}\t${settlement}\t${floatField(series.strike[k])}\t${series.right[k]}\t` +
      `${series.adjusted[k]}\n`
  }
  return rows
}
