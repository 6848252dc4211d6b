import { tapeColumns } from '../../src/archive/codec/encode-tape.ts'
import type { StoredTape, TapeId, TapeText, WrittenAt } from '../../src/archive/history-store.ts'
import type { TapeKind, TapeSource } from '../../src/market/print.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { tick } from './memory-clock.ts'

type Row = Readonly<Record<string, string>>

interface Rows {
  heads: readonly Row[]
  series: readonly Row[]
  prints: Readonly<Record<TapeKind, readonly Row[]>>
}

/** When heads were written. */
const begun = new WeakMap<Row, WrittenAt>()

/** The tapes of an archive in memory: the very text that is written, read back as the database gives it. */
export class MemoryTapes {
  #rows: Rows

  constructor(rows: Rows = { heads: [], series: [], prints: { option: [], stock: [] } }) {
    this.#rows = rows
  }

  write(text: TapeText): void {
    const { heads, series, prints } = this.#rows
    const added = (table: keyof TapeText) => rowsOf(table, text[table])
    const fresh = added('tapes')
    for (const head of fresh) begun.set(head, tick())
    this.#rows = {
      heads: [...heads, ...fresh],
      series: [...series, ...added('tape_series')],
      prints: {
        option: [...prints.option, ...added('option_tape')],
        stock: [...prints.stock, ...added('stock_tape')]
      }
    }
  }

  forget({ symbol, kind, session }: TapeId): void {
    const { heads, series, prints } = this.#rows
    const isOther = (row: Row) => row['symbol'] !== symbol || row['session'] !== session
    this.#rows = {
      heads: heads.filter((row) => isOther(row) || row['kind'] !== kind),
      series: kind === 'option' ? series.filter(isOther) : series,
      prints: { ...prints, [kind]: prints[kind].filter(isOther) }
    }
  }

  /** Recorded tapes of sessions before a date go. */
  forgetBefore(date: IsoDate): void {
    for (const head of this.#rows.heads) {
      const { symbol, kind, session, fidelity } = head
      if (session < date && fidelity === 'recorded')
        this.forget({ symbol: symbol as Ticker, kind: kind as TapeKind, session: session as IsoDate })
    }
  }

  stored({ symbol, kind, session }: TapeId): StoredTape | undefined {
    const isOurs = (row: Row) => row['symbol'] === symbol && row['session'] === session
    const head = this.#rows.heads.find((row) => isOurs(row) && row['kind'] === kind)
    if (head === undefined) return undefined
    const prints = this.#rows.prints[kind].filter(isOurs)
    const series = kind === 'option' ? this.#rows.series.filter(isOurs) : []
    const rows = [nativeRows(prints.map(fromBid), printTypes)]
    const end = 1 + Math.max(-1, ...prints.map((row) => Number(row['position'])))
    const packed = { rows, end, series: nativeRows(series.map(asRead), seriesTypes) }
    const written = begun.get(head)!
    return { symbol, kind, session, source: head['source'] as TapeSource, unit: Number(head['unit']), written, packed }
  }

  symbols(kind: TapeKind, session: IsoDate): readonly Ticker[] {
    const found = this.#rows.heads.filter((row) => row['kind'] === kind && row['session'] === session)
    return [...new Set(found.map((row) => row['symbol'] as Ticker))].sort()
  }

  /** Sessions in which a symbol has a tape of option prints, ascending. */
  sessions(symbol: Ticker): readonly IsoDate[] {
    const found = this.#rows.heads.filter((row) => row['kind'] === 'option' && row['symbol'] === symbol)
    return [...new Set(found.map((row) => row['session'] as IsoDate))].sort()
  }

  /** Copies only the rows that were known at a moment. */
  cut(at: Instant): MemoryTapes {
    return this.#mapped((rows) => rows.filter((row) => isKnown(row, at))).#withNamedSeries()
  }

  /**
   * Copies the tapes with absurd values in every row that was not known at a moment, and in series that no earlier
   * print names.
   */
  poison(at: Instant): MemoryTapes {
    const absurd = {
      sequence: '7',
      price: '777',
      size: '7777',
      bid: '776',
      ask: '777',
      above: '0',
      spot: '1',
      flags: '0',
      judged: '1'
    }
    const known = new Set(this.#rows.prints.option.filter((row) => isKnown(row, at)).map(seriesName))
    const poisoned = this.#mapped((rows) => rows.map((row) => (isKnown(row, at) ? row : { ...row, ...absurd })))
    const series = this.#rows.series.map((row) =>
      known.has(seriesName(row))
        ? row
        : { ...row, expiration: '2031-01-17', strike: `${70_000 + Number(row['instrument'])}`, adjusted: '1' }
    )
    return new MemoryTapes({ ...poisoned.#rows, series })
  }

  /** Drops the series that no print names. */
  #withNamedSeries(): MemoryTapes {
    const named = new Set(this.#rows.prints.option.map(seriesName))
    return new MemoryTapes({ ...this.#rows, series: this.#rows.series.filter((row) => named.has(seriesName(row))) })
  }

  #mapped(change: (rows: readonly Row[]) => readonly Row[]): MemoryTapes {
    const { heads, series, prints } = this.#rows
    return new MemoryTapes({
      heads,
      series,
      prints: { option: change(prints.option), stock: change(prints.stock) }
    })
  }
}

const seriesName = ({ symbol, session, instrument }: Row) => `${symbol} ${session} ${instrument}`
const isKnown = (row: Row, at: Instant) => Number(row['known']) <= 1000 * at

function rowsOf(table: keyof TapeText, bytes: Uint8Array | undefined): readonly Row[] {
  if (bytes === undefined) return []
  const lines = new TextDecoder().decode(bytes).trimEnd().split('\n')
  const names = tapeColumns[table]
  return lines.map((line) => Object.fromEntries(line.split('\t').map((field, k) => [names[k], field])))
}

/** Prices by themselves, as the archive reads them. */
const fromBid = ({ above, price, bid, ask, ...row }: Row): Row => {
  const floor = Number(above) * Number(bid)
  return { ...row, price: `${Number(price) + floor}`, bid, ask: `${Number(ask) + floor}` }
}

const asRead = ({ expiration, ...row }: Row): Row => ({ ...row, date: expiration })

export const printTypes = {
  position: 'UInt32',
  known: 'Float64',
  behind: 'Float64',
  sequence: 'Float64',
  instrument: 'Int32',
  price: 'Int32',
  size: 'Int32',
  bid: 'Int32',
  ask: 'Int32',
  spot: 'Int32',
  flags: 'UInt16',
  judged: 'UInt8',
  exchange: 'UInt8'
}

const seriesTypes = {
  instrument: 'Int32',
  date: 'String',
  root: 'String',
  settlement: 'String',
  strike: 'Float64',
  right: 'UInt8',
  adjusted: 'UInt8'
}

const kinds = {
  Float64: Float64Array,
  Int32: Int32Array,
  UInt32: Uint32Array,
  UInt16: Uint16Array,
  UInt8: Uint8Array
} as const

/** Rows in the Native format of the database, one block. */
export function nativeRows(rows: readonly Row[], types: Readonly<Record<string, string>>): Uint8Array {
  const pieces: Uint8Array[] = [count(Object.keys(types).length), count(rows.length)]
  for (const [name, type] of Object.entries(types)) {
    pieces.push(text(name), text(type))
    if (type === 'String') for (const row of rows) pieces.push(text(row[name]))
    else {
      const Kind = kinds[type as keyof typeof kinds]
      pieces.push(new Uint8Array(Kind.from(rows.map((row) => Number(row[name]))).buffer))
    }
  }
  return Buffer.concat(pieces)
}

function count(value: number): Uint8Array {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) + 128)
    if (left < 128) return Uint8Array.from(bytes)
  }
}

function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value)
  return Buffer.concat([count(bytes.length), bytes])
}
