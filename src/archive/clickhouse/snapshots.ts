import { LRUCache } from 'lru-cache'
import { session } from '../../market/calendar.ts'
import { sharedMemory } from '../../market/shared-memory.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../market/units.ts'
import type { PackedSnapshot } from '../codec/decode.ts'
import { type EncodedSnapshot, encodeSnapshot, seriesColumns, seriesKey, snapshotColumns } from '../codec/encode.ts'
import { readNative } from '../codec/native.ts'
import { lines } from '../codec/tab-separated.ts'
import type { ChainSnapshot, Fidelity, StoredSnapshot } from '../store.ts'
import { type Connection, literal, moment } from './connection.ts'

/** Rows of snapshots are sent in pieces of about so many characters. */
const PIECE = 2 ** 24
/** Encoding pauses after so many milliseconds, so that whatever else the thread does goes on. */
const SLICE = 10
/** A snapshot is looked for in so many milliseconds first: a whole session costs a tenth more to search. */
const LATELY = 10 * MILLISECONDS_PER_MINUTE
const SERIES_BYTES = 2 ** 26
const SERIES_NAMES = 50_000

const quotes = `toUnixTimestamp64Milli(ts) AS as_of, toString(fidelity) AS fidelity, series, header,
  bid_bends, spread, last, bid_size, ask_size, volume, odd_slot, odd_price`
const contracts = 'expiration, root, settlement, contracts, strike, `right`, open_interest'

/** Writes chain snapshots and reads them one at a time. */
export class ChainSnapshots {
  readonly #connection: Connection
  /** Contract lists that this process has written; writing one again would only cost. */
  readonly #written = new LRUCache<string, true>({ max: SERIES_NAMES })
  /** Contract lists that were read, in shared memory: a snapshot goes to a worker without a copy of its list. */
  readonly #series = new LRUCache<string, Uint8Array>({
    maxSize: SERIES_BYTES,
    sizeCalculation: (bytes) => bytes.length
  })

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async write(snapshots: readonly ChainSnapshot[]): Promise<void> {
    let piece: EncodedSnapshot[] = []
    let length = 0
    let pausedAt = performance.now()
    for (const snapshot of snapshots) {
      const encoded = encodeSnapshot(snapshot)
      piece.push(encoded)
      length += encoded.snapshotRow.length
      if (length > PIECE) {
        await this.#insert(piece)
        piece = []
        length = 0
      } else if (performance.now() - pausedAt > SLICE) {
        await new Promise((resolve) => setImmediate(resolve))
        pausedAt = performance.now()
      }
    }
    if (piece.length > 0) await this.#insert(piece)
  }

  /** Contract lists go first, so that no snapshot is ever there without its own. */
  async #insert(snapshots: readonly EncodedSnapshot[]): Promise<void> {
    const fresh = new Map<string, string>()
    for (const { seriesKey, seriesRow } of snapshots) if (!this.#written.has(seriesKey)) fresh.set(seriesKey, seriesRow)
    if (fresh.size > 0) {
      await this.#connection.insert('option_series', seriesColumns, lines([...fresh.values()]))
      for (const key of fresh.keys()) this.#written.set(key, true)
    }
    await this.#connection.insert(
      'option_images',
      snapshotColumns,
      lines(snapshots.map(({ snapshotRow }) => snapshotRow))
    )
  }

  /** The newest snapshot of a session, at or before `at` where it is given. Of two written for one moment the later one. */
  async newest(symbol: Ticker, date: IsoDate, at?: Instant): Promise<StoredSnapshot | undefined> {
    const until = at === undefined ? '' : ` AND ts <= ${moment(Math.floor(at))}`
    const last = at ?? session(date)?.close
    const lately = last === undefined ? undefined : `${until} AND ts > ${moment(Math.floor(last - LATELY))}`
    const found = lately === undefined ? undefined : await this.#newestWhere(symbol, date, lately)
    return found ?? (await this.#newestWhere(symbol, date, until))
  }

  async #newestWhere(symbol: Ticker, date: IsoDate, span: string): Promise<StoredSnapshot | undefined> {
    const snapshot = await this.#connection.read(`SELECT ${quotes} FROM option_images
PREWHERE symbol = ${literal(symbol)} AND session = ${literal(date)}${span}
ORDER BY ts DESC, written DESC LIMIT 1 SETTINGS max_threads = 1`)
    const [block] = readNative(snapshot)
    if (block === undefined) return undefined
    const [id] = block.columns['series'] as readonly string[]
    const [fidelity] = block.columns['fidelity'] as readonly Fidelity[]
    const packed: PackedSnapshot = { snapshot, series: await this.#seriesOf(symbol, date, id) }
    return { symbol, asOf: Number((block.columns['as_of'] as BigInt64Array)[0]), fidelity, packed }
  }

  async #seriesOf(symbol: Ticker, date: IsoDate, id: string): Promise<Uint8Array> {
    const key = seriesKey(symbol, date, id)
    const known = this.#series.get(key)
    if (known !== undefined) return known
    const bytes = await this.#connection.read(`SELECT ${contracts} FROM option_series
PREWHERE symbol = ${literal(symbol)} AND session = ${literal(date)} AND id = ${literal(id)}
LIMIT 1 SETTINGS max_threads = 1`)
    if (readNative(bytes).length === 0) throw new Error(`the history lacks the contracts of ${symbol} on ${date}`)
    const shared = new Uint8Array(sharedMemory(bytes.length))
    shared.set(bytes)
    this.#series.set(key, shared)
    return shared
  }

  /** What was forgotten may be written again. */
  forget(): void {
    this.#written.clear()
    this.#series.clear()
  }
}
