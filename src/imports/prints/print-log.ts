import type { Print, TapeMessage } from '../../connectors/port/prints/print-feed.ts'
import type { TapeKind } from '../../market/print.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { PrintRow } from './print-table.ts'

export interface PrintPlace {
  readonly file: string
  readonly line: number
}

const columns = {
  time: Float64Array,
  sequence: Float64Array,
  price: Float64Array,
  bid: Float64Array,
  ask: Float64Array,
  quoteTime: Float64Array,
  spot: Float64Array,
  size: Int32Array,
  contract: Int32Array,
  line: Int32Array,
  file: Int32Array,
  flags: Uint16Array,
  exchange: Uint8Array,
  isCancel: Uint8Array
} as const
type Columns = { -readonly [Name in keyof typeof columns]: InstanceType<(typeof columns)[Name]> }

const FIRST_CAPACITY = 1024
/** Contract number that marks a print of the stock itself. */
const NO_CONTRACT = -1

/** Prints of one symbol and session in the order of reading, 81 bytes each. Absent figures are NaN. */
export class PrintLog {
  readonly symbol: Ticker
  readonly session: IsoDate
  size = 0
  #columns = columnsOf(FIRST_CAPACITY)
  readonly #contracts: string[] = []
  readonly #contractNumbers = new Map<string, number>()
  readonly #files: string[] = []
  readonly #kinds = new Set<TapeKind>()

  constructor(symbol: Ticker, session: IsoDate) {
    this.symbol = symbol
    this.session = session
  }

  get kinds(): ReadonlySet<TapeKind> {
    return this.#kinds
  }

  /** File and line of the first print; with `file`, of the first print from that file. Undefined if there is none. */
  firstPlace(file?: string): PrintPlace | undefined {
    const number = file === undefined ? this.#columns.file[0] : this.#files.indexOf(file)
    const at = this.#columns.file.subarray(0, this.size).indexOf(number)
    return at < 0 ? undefined : this.#placeOf(at)
  }

  add(row: PrintRow, { file, line }: PrintPlace): void {
    if (this.size === this.#columns.time.length) this.#grow()
    const at = this.size++
    const held = this.#columns
    held.time[at] = row.time
    held.sequence[at] = row.sequence ?? Number.NaN
    held.price[at] = row.price
    held.bid[at] = row.quote?.bid ?? Number.NaN
    held.ask[at] = row.quote?.ask ?? Number.NaN
    held.quoteTime[at] = row.quote?.time ?? Number.NaN
    held.spot[at] = row.spot ?? Number.NaN
    held.size[at] = row.size
    held.contract[at] = row.contract === undefined ? NO_CONTRACT : this.#contractNumber(row.contract)
    held.line[at] = line
    if (this.#files.at(-1) !== file) this.#files.push(file)
    held.file[at] = this.#files.length - 1
    held.flags[at] = row.flags
    held.exchange[at] = row.exchange
    held.isCancel[at] = row.isCancel ? 1 : 0
    this.#kinds.add(row.contract === undefined ? 'stock' : 'option')
  }

  /** Yields the prints as feed messages, sorted by time, then sequence number, then reading order. */
  *messages(): Generator<{ readonly message: TapeMessage; readonly place: PrintPlace }> {
    for (const at of this.#order()) yield { message: this.#message(at), place: this.#placeOf(at) }
  }

  #order(): Uint32Array {
    const { time, sequence } = this.#columns
    const order = Uint32Array.from({ length: this.size }, (_, at) => at)
    return order.sort((a, b) => time[a] - time[b] || sequence[a] - sequence[b] || a - b)
  }

  #message(at: number): TapeMessage {
    const { time, sequence, price, bid, ask, quoteTime, spot, size, contract, flags, exchange, isCancel } =
      this.#columns
    const print: Print = {
      symbol: this.symbol,
      contract: contract[at] === NO_CONTRACT ? undefined : this.#contracts[contract[at]],
      time: time[at],
      price: price[at],
      size: size[at],
      exchange: exchange[at],
      sequence: Number.isNaN(sequence[at]) ? undefined : sequence[at],
      flags: flags[at],
      quote: Number.isNaN(quoteTime[at]) ? undefined : { bid: bid[at], ask: ask[at], time: quoteTime[at] },
      spot: Number.isNaN(spot[at]) ? undefined : spot[at]
    }
    // The row's sequence number belongs to the cancel itself, not to the cancelled print.
    return isCancel[at] === 1 ? { cancel: { ...print, sequence: undefined } } : { print }
  }

  #placeOf(at: number): PrintPlace {
    return { file: this.#files[this.#columns.file[at]], line: this.#columns.line[at] }
  }

  #contractNumber(contract: string): number {
    let number = this.#contractNumbers.get(contract)
    if (number === undefined) {
      number = this.#contracts.push(contract) - 1
      this.#contractNumbers.set(contract, number)
    }
    return number
  }

  #grow(): void {
    const larger = columnsOf(2 * this.size)
    for (const name of Object.keys(columns) as (keyof Columns)[]) larger[name].set(this.#columns[name])
    this.#columns = larger
  }
}

function columnsOf(length: number): Columns {
  return Object.fromEntries(Object.entries(columns).map(([name, Kind]) => [name, new Kind(length)])) as Columns
}
