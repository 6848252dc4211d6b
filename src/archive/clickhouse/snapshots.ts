import { LRUCache } from 'lru-cache'
import { session } from '../../market/calendar.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../market/units.ts'
import { entriesUpTo } from '../../memory/entries-up-to.ts'
import { bytesOfList, contractListColumns, contractListOf, type StoredContracts } from '../codec/contract-list.ts'
import type { PackedSnapshot } from '../codec/decode-snapshot.ts'
import { contractListKey, type EncodedList, SnapshotEncoder } from '../codec/encode-snapshot.ts'
import { rowsOf } from '../codec/native-rows.ts'
import { snapshotColumns } from '../codec/snapshot-columns.ts'
import { type StoredSnapshotRow, snapshotFields, snapshotRowsOf } from '../codec/snapshot-row.ts'
import { TabSeparatedBytes } from '../codec/tab-separated-bytes.ts'
import { HistoryDamage } from '../history-error.ts'
import type { ChainSnapshot, StoredSnapshot, WrittenAt } from '../history-store.ts'
import { type DatabaseConnection, momentLiteral, textLiteral } from './database-connection.ts'
import { identifier } from './schema/archive-table.ts'

/** Approximate number of characters written with one insert. The engine needs several times as much memory for it. */
const PIECE = 2 ** 21
/** Encoding lets other work of the thread run after this many milliseconds. */
const SLICE = 10
/**
 * A read first searches this period before the requested moment: searching the whole session would take a tenth longer.
 */
const LATELY = 10 * MILLISECONDS_PER_MINUTE
const SERIES_BYTES = 2 ** 26
const SERIES_NAMES = 50_000
const listColumns = ['symbol', 'session', 'id', ...contractListColumns.map(({ name }) => name)]

/** A stored snapshot without its content: its moment, and when its newest version was written. */
export interface HeldSnapshot {
  readonly asOf: Instant
  readonly written: WrittenAt
}

/** Writes snapshots, and reads them one at a time. */
export class ChainSnapshots {
  readonly #connection: DatabaseConnection
  /** Keys of contract lists that this process has written and need not write again. */
  readonly #written = new LRUCache<string, true>(entriesUpTo(SERIES_NAMES))
  readonly #lists = new LRUCache<string, StoredContracts>({ maxSize: SERIES_BYTES, sizeCalculation: bytesOfList })
  readonly #encoder = new SnapshotEncoder()
  /** Memory of the rows of an earlier write. */
  #spare: TabSeparatedBytes | undefined

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async write(snapshots: readonly ChainSnapshot[]): Promise<void> {
    const rows = this.#spare ?? new TabSeparatedBytes()
    this.#spare = undefined
    let lists = new Map<string, EncodedList>()
    let pausedAt = performance.now()
    for (const snapshot of snapshots) {
      const list = this.#encoder.encode(snapshot, rows)
      lists.set(list.key, list)
      if (rows.length > PIECE) {
        await this.#insert(lists, rows)
        lists = new Map()
      } else if (performance.now() - pausedAt > SLICE) {
        await new Promise((resolve) => setImmediate(resolve))
        pausedAt = performance.now()
      }
    }
    await this.#insert(lists, rows)
    this.#spare = rows
  }

  /** Contract lists are written first, so that no snapshot ever lacks its list. */
  async #insert(lists: ReadonlyMap<string, EncodedList>, rows: TabSeparatedBytes): Promise<void> {
    if (rows.length === 0) return
    const fresh = [...lists.values()].filter(({ key }) => !this.#written.has(key))
    if (fresh.length > 0) {
      await this.#connection.insert('option_series', listColumns, Buffer.concat(fresh.map(({ row }) => row)))
      for (const { key } of fresh) this.#written.set(key, true)
    }
    const columns = snapshotColumns.map(({ name }) => name)
    await this.#connection.insert('option_images', columns, rows.bytes)
    rows.clear()
  }

  /**
   * Reads the newest snapshot of a session; with `at`, the newest at or before that moment. If two snapshots have the
   * same moment, reads the one written later.
   */
  async newest(symbol: Ticker, date: IsoDate, at?: Instant): Promise<StoredSnapshot | undefined> {
    const until = at === undefined ? '' : ` AND ts <= ${momentLiteral(Math.floor(at))}`
    const last = at ?? session(date)?.close
    const lately = last === undefined ? undefined : `${until} AND ts > ${momentLiteral(Math.floor(last - LATELY))}`
    const found = lately === undefined ? undefined : await this.#newestWhere(symbol, date, lately)
    return found ?? (await this.#newestWhere(symbol, date, until))
  }

  async #newestWhere(symbol: Ticker, date: IsoDate, span: string): Promise<StoredSnapshot | undefined> {
    const [found] = await this.#read(`PREWHERE symbol = ${textLiteral(symbol)} AND session = ${textLiteral(date)}${span}
ORDER BY ts DESC, written DESC LIMIT 1`)
    if (found === undefined) return undefined
    const { asOf, fidelity, series, columns } = found
    const packed: PackedSnapshot = { contracts: await this.contracts(symbol, date, series), columns }
    return { symbol, asOf, fidelity, packed }
  }

  /**
   * Reads the snapshots of a session from `from` to `to`, both included, in ascending order. If two snapshots have the
   * same moment, reads the one written later.
   */
  rows(symbol: Ticker, date: IsoDate, from: Instant, to: Instant): Promise<readonly StoredSnapshotRow[]> {
    return this.#read(`PREWHERE symbol = ${textLiteral(symbol)} AND session = ${textLiteral(date)}
  AND ts >= ${momentLiteral(from)} AND ts <= ${momentLiteral(to)}
ORDER BY ts, written DESC LIMIT 1 BY ts`)
  }

  async held(symbol: Ticker, date: IsoDate): Promise<readonly HeldSnapshot[]> {
    const found = await this.#connection.read(`SELECT toUnixTimestamp64Milli(ts) AS "asOf",
  toUnixTimestamp64Micro(max(written)) AS "written" FROM option_images
PREWHERE symbol = ${textLiteral(symbol)} AND session = ${textLiteral(date)} GROUP BY ts ORDER BY ts SETTINGS max_threads = 1`)
    return rowsOf(found) as unknown as readonly HeldSnapshot[]
  }

  async contracts(symbol: Ticker, date: IsoDate, id: string): Promise<StoredContracts> {
    const key = contractListKey(symbol, date, id)
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    const list = contractListOf(
      await this.#connection.read(`SELECT ${contractListColumns.map(({ name }) => identifier(name)).join(', ')} FROM option_series
PREWHERE symbol = ${textLiteral(symbol)} AND session = ${textLiteral(date)} AND id = ${textLiteral(id)}
LIMIT 1 SETTINGS max_threads = 1`)
    )
    if (list === undefined) {
      throw new HistoryDamage({ path: 'option_series', reason: `the contracts of ${symbol} on ${date} are missing` })
    }
    this.#lists.set(key, list)
    return list
  }

  async #read(where: string): Promise<readonly StoredSnapshotRow[]> {
    return snapshotRowsOf(
      await this.#connection.read(`SELECT ${snapshotFields} FROM option_images ${where} SETTINGS max_threads = 1`)
    )
  }

  /** Call after rows were deleted: contract lists may have to be written again. */
  dropKnown(): void {
    this.#written.clear()
    this.#lists.clear()
  }
}
