import { LRUCache } from 'lru-cache'
import type { DailyRecord } from '../market/daily-record.ts'
import { type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../market/units.ts'
import type { MarketEventBus, PastArchive } from './events.ts'

const MAX_SYMBOLS = 2000
/** What another program writes into the archive is seen after this long. */
const READ_AGAIN = 5 * MILLISECONDS_PER_MINUTE

/** The daily records that the archive has of a symbol. None is made, so none has to be waited for long. */
export class StoredRecords {
  readonly #archive: Pick<PastArchive, 'records'> | undefined
  readonly #read = new LRUCache<
    Ticker,
    { readonly before: IsoDate; readonly records: Promise<readonly DailyRecord[]> }
  >({
    max: MAX_SYMBOLS,
    ttl: READ_AGAIN
  })

  constructor(archive: Pick<PastArchive, 'records'> | undefined, events: MarketEventBus) {
    this.#archive = archive
    events.on('recordsLearned', ({ symbol }) => void this.#read.delete(symbol))
    events.on('daysWritten', ({ symbol }) => void this.#read.delete(symbol))
  }

  /** The newest records dated before a date, ascending; empty where the archive gives none. */
  async of(symbol: Ticker, before: IsoDate, count: number): Promise<readonly DailyRecord[]> {
    if (this.#archive === undefined) return []
    let read = this.#read.get(symbol)
    if (read?.before !== before) {
      const records = this.#archive.records(symbol, before, count).catch(() => [])
      this.#read.set(symbol, (read = { before, records }))
    }
    return read.records
  }
}
