import type { ContractRow } from '../../market/chain.ts'
import { epochDay, type Instant, type IsoDate, type Ticker } from '../../market/units.ts'
import { FilesError } from '../import-files.ts'
import { GroupedRows } from '../judged/grouped-rows.ts'
import type { ChainRow } from './chain-table.ts'

/** A symbol at one moment: the rows that will become one snapshot, from wherever they came. */
export interface Moment {
  readonly id: number
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly asOf: Instant
  /** Tables that it comes from, by their position among those of the import. */
  readonly tables: number[]
  /** Line of its first row in the first of them. */
  line: number
  /** Contracts in its rows, repeated ones included. */
  rows: number
  /** Rows of it that could not be used. */
  refused: number
  /** Number of contracts that had been added to all moments when one was added to this. */
  touched: number
}

/** A contract of a moment, with what its row says of the underlying, and where the row stands. */
export interface MomentRow extends ContractRow {
  readonly table: number
  readonly line: number
  /** Time that the row states, which may lie after the close that it counts as. */
  readonly stated: Instant
  readonly price: number
  readonly underlyingBid: number
  readonly underlyingAsk: number
}

const WIDTH = 17
/** The first numbers of a row say where it comes from. */
const CONTENT = 2

/** More option roots than were ever listed. */
const MAX_ROOTS = 1_000_000

export interface MomentRowsOptions {
  readonly held?: number | undefined
  /** Most contracts of one moment, repeated ones included. */
  readonly maxContracts: number
}

/** The rows of an import by symbol and moment, in bounded memory. */
export class MomentRows {
  readonly #rows: GroupedRows
  readonly #maxContracts: number
  readonly #moments = new Map<Ticker, Map<Instant, Moment>>()
  readonly #roots: string[] = []
  readonly #rootIds = new Map<string, number>()
  readonly #days = new Map<IsoDate, number>()
  readonly #dates = new Map<number, IsoDate>()
  readonly #packed = new Float64Array(WIDTH)
  #next = 0
  #size = 0
  #added = 0

  constructor({ held, maxContracts }: MomentRowsOptions) {
    this.#rows = new GroupedRows({ width: WIDTH, content: CONTENT, held })
    this.#maxContracts = maxContracts
  }

  /** Number of moments. */
  get size(): number {
    return this.#size
  }

  /** Number of rows in the temporary file. */
  get filed(): number {
    return this.#rows.filed
  }

  /** Number of contracts that were added. */
  get added(): number {
    return this.#added
  }

  /** The moment of a symbol; undefined if it has no row. */
  find(symbol: Ticker, asOf: Instant): Moment | undefined {
    return this.#moments.get(symbol)?.get(asOf)
  }

  /** The moment of a symbol, made if it is new. */
  momentOf(symbol: Ticker, date: IsoDate, asOf: Instant, table: number): Moment {
    let ofSymbol = this.#moments.get(symbol)
    if (ofSymbol === undefined) this.#moments.set(symbol, (ofSymbol = new Map()))
    let moment = ofSymbol.get(asOf)
    if (moment === undefined) {
      moment = { id: this.#next++, symbol, date, asOf, tables: [table], line: 0, rows: 0, refused: 0, touched: 0 }
      ofSymbol.set(asOf, moment)
      this.#size++
    } else if (!moment.tables.includes(table)) moment.tables.push(table)
    return moment
  }

  /** Adds the contracts of a row. Contracts of a moment beyond the most that it may have are counted only. */
  add(moment: Moment, { contracts, stated, price, bid, ask }: ChainRow, table: number, line: number): void {
    if (moment.rows === 0) moment.line = line
    moment.touched = this.#added += contracts.length
    const packed = this.#packed
    for (const contract of contracts) {
      if (++moment.rows > this.#maxContracts) continue
      packed[0] = table
      packed[1] = line
      packed[2] = stated
      packed[3] = this.#rootId(contract.root)
      packed[4] = this.#day(contract.expiration)
      packed[5] = contract.right + (contract.settlement === 'am' ? 2 : 0)
      packed[6] = contract.strike
      packed[7] = contract.bid
      packed[8] = contract.ask
      packed[9] = contract.last
      packed[10] = contract.bidSize
      packed[11] = contract.askSize
      packed[12] = contract.volume
      packed[13] = contract.openInterest
      packed[14] = price
      packed[15] = bid
      packed[16] = ask
      this.#rows.add(moment.id, packed)
    }
  }

  /** Whether a moment has more contracts than it may have. */
  isTooLarge({ rows }: Moment): boolean {
    return rows > this.#maxContracts
  }

  rowsOf({ id }: Moment): readonly MomentRow[] {
    const packed = this.#rows.rowsOf(id)
    const rows: MomentRow[] = []
    for (let at = 0; at < packed.length; at += WIDTH) {
      rows.push({
        table: packed[at],
        line: packed[at + 1],
        stated: packed[at + 2],
        root: this.#roots[packed[at + 3]],
        expiration: this.#dates.get(packed[at + 4])!,
        settlement: packed[at + 5] >= 2 ? 'am' : 'pm',
        right: packed[at + 5] % 2,
        strike: packed[at + 6],
        bid: packed[at + 7],
        ask: packed[at + 8],
        last: packed[at + 9],
        bidSize: packed[at + 10],
        askSize: packed[at + 11],
        volume: packed[at + 12],
        openInterest: packed[at + 13],
        price: packed[at + 14],
        underlyingBid: packed[at + 15],
        underlyingAsk: packed[at + 16]
      })
    }
    return rows
  }

  /** All moments, by symbol and time. */
  sorted(): readonly Moment[] {
    return [...this.#moments.keys()].sort().flatMap((symbol) => this.ofSymbol(symbol))
  }

  /** Moments of a symbol, by time. */
  ofSymbol(symbol: Ticker): readonly Moment[] {
    return [...(this.#moments.get(symbol)?.values() ?? [])].sort((a, b) => a.asOf - b.asOf)
  }

  forget({ id, symbol, asOf }: Moment): void {
    this.#rows.forget(id)
    const ofSymbol = this.#moments.get(symbol)
    if (ofSymbol?.delete(asOf)) this.#size--
    if (ofSymbol?.size === 0) this.#moments.delete(symbol)
  }

  /** Gives the room of forgotten moments back. */
  compact(): void {
    this.#rows.compact()
  }

  close(): void {
    this.#rows.close()
  }

  #rootId(root: string): number {
    let id = this.#rootIds.get(root)
    if (id === undefined) {
      if (this.#roots.length >= MAX_ROOTS) throw new FilesError(`it names over ${MAX_ROOTS} option roots`)
      this.#rootIds.set(root, (id = this.#roots.length))
      this.#roots.push(root)
    }
    return id
  }

  #day(expiration: IsoDate): number {
    let day = this.#days.get(expiration)
    if (day === undefined) {
      this.#days.set(expiration, (day = epochDay(expiration)))
      this.#dates.set(day, expiration)
    }
    return day
  }
}
