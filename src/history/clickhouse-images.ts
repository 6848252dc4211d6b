import { LRUCache } from 'lru-cache'
import { session } from '../market/calendar.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import { type Connection, literal, moment } from './clickhouse-connection.ts'
import type { PackedImage } from './decode.ts'
import { readNative } from './decode-native.ts'
import { type EncodedImage, encodeImage, imageColumns, seriesColumns, seriesKey } from './encode.ts'
import { lines } from './encode-row.ts'
import type { ChainImage, Fidelity, StoredImage } from './store.ts'

/** Rows of images are sent in pieces of about so many characters. */
const PIECE = 2 ** 24
/** Encoding pauses after so many milliseconds, so that whatever else the thread does goes on. */
const SLICE = 10
/** An image is looked for in so many milliseconds first: a whole session costs a tenth more to search. */
const LATELY = 10 * MILLISECONDS_PER_MINUTE
const SERIES_BYTES = 2 ** 26
const SERIES_NAMES = 50_000

const quotes = `toUnixTimestamp64Milli(ts) AS as_of, toString(fidelity) AS fidelity, series, header,
  bid_bends, spread, last, bid_size, ask_size, volume, odd_slot, odd_price`
const contracts = 'expiration, root, settlement, contracts, strike, `right`, open_interest'

/** Writes chain images and reads them one at a time. */
export class ChainImages {
  readonly #connection: Connection
  /** Contract lists that this process has written; writing one again would only cost. */
  readonly #written = new LRUCache<string, true>({ max: SERIES_NAMES })
  /** Contract lists that were read, in shared memory: an image goes to a worker without a copy of its list. */
  readonly #series = new LRUCache<string, Uint8Array>({
    maxSize: SERIES_BYTES,
    sizeCalculation: (bytes) => bytes.length
  })

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async write(images: readonly ChainImage[]): Promise<void> {
    let piece: EncodedImage[] = []
    let length = 0
    let pausedAt = performance.now()
    for (const image of images) {
      const encoded = encodeImage(image)
      piece.push(encoded)
      length += encoded.imageRow.length
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

  /** Contract lists go first, so that no image is ever there without its own. */
  async #insert(images: readonly EncodedImage[]): Promise<void> {
    const fresh = new Map<string, string>()
    for (const { seriesKey, seriesRow } of images) if (!this.#written.has(seriesKey)) fresh.set(seriesKey, seriesRow)
    if (fresh.size > 0) {
      await this.#connection.insert('option_series', seriesColumns, lines([...fresh.values()]))
      for (const key of fresh.keys()) this.#written.set(key, true)
    }
    await this.#connection.insert('option_images', imageColumns, lines(images.map(({ imageRow }) => imageRow)))
  }

  /** The newest image of a session, at or before `at` where it is given. Of two written for one moment the later one. */
  async newest(symbol: Ticker, date: IsoDate, at?: Instant): Promise<StoredImage | undefined> {
    const until = at === undefined ? '' : ` AND ts <= ${moment(Math.floor(at))}`
    const last = at ?? session(date)?.close
    const lately = last === undefined ? undefined : `${until} AND ts > ${moment(Math.floor(last - LATELY))}`
    const found = lately === undefined ? undefined : await this.#newestWhere(symbol, date, lately)
    return found ?? (await this.#newestWhere(symbol, date, until))
  }

  async #newestWhere(symbol: Ticker, date: IsoDate, span: string): Promise<StoredImage | undefined> {
    const image = await this.#connection.read(`SELECT ${quotes} FROM option_images
PREWHERE symbol = ${literal(symbol)} AND session = ${literal(date)}${span}
ORDER BY ts DESC, written DESC LIMIT 1 SETTINGS max_threads = 1`)
    const [block] = readNative(image)
    if (block === undefined) return undefined
    const [id] = block.columns['series'] as readonly string[]
    const [fidelity] = block.columns['fidelity'] as readonly Fidelity[]
    const packed: PackedImage = { image, series: await this.#seriesOf(symbol, date, id) }
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
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
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
