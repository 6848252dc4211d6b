import { LRUCache } from 'lru-cache'
import { session } from '../market/calendar.ts'
import { type Chain, type ChainHeader, headerOf } from '../market/chain.ts'
import { easternDate } from '../market/eastern.ts'
import { entriesUpTo } from '../memory/entries-up-to.ts'
import { backOff } from '../pacing/back-off.ts'
import { MAX_SILENCE } from './closing.ts'
import { UnwritableSnapshot } from './history-error.ts'
import type { ChainSnapshot, Gap, HistoryStore } from './history-store.ts'
import { memoryOf, snapshotOf } from './observed-snapshot.ts'

export interface RecorderOptions {
  readonly store: Pick<HistoryStore, 'writeSnapshots' | 'writeGap'>
  /** Minimum time between two snapshots of a symbol, milliseconds. The last snapshot of a session is always written. */
  readonly every: number
  readonly maxWaitingBytes: number
  /** Called when the archive begins to refuse writes, and when it accepts them again. */
  readonly onChange?: (state: RecorderState) => void
  readonly onUnwritable?: (chain: ChainHeader, error: Error) => void
}

export interface RecorderState {
  readonly failure: Error | undefined
  /** Number and bytes of waiting snapshots; number of snapshots written and lost since the start. */
  readonly waiting: number
  readonly waitingBytes: number
  readonly written: number
  readonly lost: number
}

/** Snapshots are collected for this long before they are written together, milliseconds. */
const BATCH_DELAY = 3000
/** Maximum number of queued writes of rows that are not snapshots. They are few, and most can be computed again. */
const MAX_OTHER_WRITES = 10_000
const MAX_WRITE_BYTES = 32 * 2 ** 20
const MAX_SESSIONS = 20_000
/** Pauses between retries while the archive refuses writes, milliseconds. */
const pauses = { first: 1000, longest: 60_000 }

interface Waiting {
  readonly snapshot: ChainSnapshot
  readonly bytes: number
}

/**
 * Writes chains and rows of the live market into the archive, in order, without blocking the caller. While the archive
 * refuses writes, snapshots wait in memory. Beyond `maxWaitingBytes` the oldest are dropped and a gap is recorded
 * instead; the same happens to a snapshot that can never be stored.
 */
export class SnapshotRecorder {
  readonly #options: RecorderOptions
  /**
   * Newest snapshot by symbol and session. By session, because the close of an earlier day may arrive after a snapshot
   * of today.
   */
  readonly #last = new LRUCache<string, Pick<Chain, 'asOf' | 'source'>>(entriesUpTo(MAX_SESSIONS))
  readonly #gaps: Gap[] = []
  readonly #otherWrites: (() => Promise<void>)[] = []
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #written = 0
  #lost = 0
  /** Number of oldest snapshots to write one by one, because one among them can never be stored. */
  #suspects = 0
  #failures = 0
  #failure: Error | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #closed = false

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** Queues a chain if a snapshot is due; returns whether it was. */
  record(chain: Chain): boolean {
    if (this.#closed || !this.#isDue(chain)) return false
    const snapshot = snapshotOf(chain)
    const bytes = memoryOf(snapshot)
    this.#waiting.push({ snapshot, bytes })
    this.#waitingBytes += bytes
    this.#makeRoom()
    if (this.#failures === 0) this.#writeIn(BATCH_DELAY)
    return true
  }

  /** Queues a write of other rows. It runs after all snapshots queued earlier, and is repeated until it succeeds. */
  enqueue(write: () => Promise<void>): void {
    if (this.#closed || this.#otherWrites.length >= MAX_OTHER_WRITES) return
    this.#otherWrites.push(write)
    if (this.#failures === 0) this.#writeIn(BATCH_DELAY)
  }

  get state(): RecorderState {
    return {
      failure: this.#failure,
      waiting: this.#waiting.length,
      waitingBytes: this.#waitingBytes,
      written: this.#written,
      lost: this.#lost
    }
  }

  /** Writes everything queued. Resolves when all of it is stored, or the archive has refused a write. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return (this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
      if (this.#failures > 0) this.#writeIn(backOff(this.#failures, pauses))
      // Something was queued too late for this write, and the next chain may come only the next morning.
      else if (this.#waiting.length + this.#otherWrites.length + this.#gaps.length > 0) this.#writeIn(BATCH_DELAY)
    }))
  }

  /** Writes the queue one last time. Whatever the archive refuses now is lost; `state` tells how much. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#writing
    await this.flush()
  }

  /**
   * Whether a chain must be recorded: during the session, the first chain of each interval; after the close, every
   * newer chain. Also records gaps.
   */
  #isDue({ symbol, asOf, source }: Chain): boolean {
    const { every } = this.#options
    const name = `${symbol} ${easternDate(asOf)}`
    const known = this.#last.get(name)
    const hours = session(easternDate(asOf))
    if (known !== undefined) {
      const last = known.asOf
      if (asOf <= last) return false
      const over = hours === undefined || asOf >= hours.close
      if (!over && Math.floor(asOf / every) === Math.floor(last / every)) return false
      // A longer time without snapshots is a gap, because replay does not use older snapshots as current.
      const silence = asOf - last > Math.max(MAX_SILENCE, 2 * every)
      // Between two sources nobody observed the market, however short the change was.
      const isOther = source !== known.source
      if ((silence || isOther) && hours !== undefined && last >= hours.open && last < hours.close) {
        const to = Math.min(asOf, hours.close)
        const reason = isOther ? `from ${known.source} to ${source}` : 'the data source gave no snapshot'
        this.#gaps.push({ symbol, from: last, to, reason })
      }
    }
    this.#last.set(name, { asOf, ...(source !== undefined && { source }) })
    return true
  }

  #makeRoom(): void {
    const slow = 'the archive takes snapshots more slowly than they come'
    const reason = this.#failure === undefined ? slow : `the archive took no snapshots: ${this.#failure.message}`
    while (this.#waitingBytes > this.#options.maxWaitingBytes && this.#waiting.length > 1) {
      this.#drop(this.#waiting.shift()!, reason)
    }
  }

  #drop({ snapshot, bytes }: Waiting, reason: string): void {
    const { symbol, asOf } = snapshot.chain
    this.#waitingBytes -= bytes
    this.#lost++
    const to = asOf + this.#options.every
    // Snapshots lost in a row share one gap.
    const open = this.#gaps.findLastIndex((gap) => gap.symbol === symbol && gap.from <= asOf && gap.to >= asOf)
    if (open >= 0) this.#gaps[open] = { ...this.#gaps[open], to: Math.max(this.#gaps[open].to, to) }
    else this.#gaps.push({ symbol, from: asOf, to, reason })
  }

  async #write(): Promise<void> {
    const { store, onChange } = this.#options
    try {
      while (this.#waiting.length > 0) await this.#writeNext()
      while (this.#otherWrites.length > 0) {
        await this.#otherWrites[0]()
        this.#otherWrites.shift()
      }
      while (this.#gaps.length > 0) {
        // Removed before the write, so that a gap that grows meanwhile is written again.
        const gap = this.#gaps.shift()!
        await store.writeGap(gap).catch((error) => {
          this.#gaps.unshift(gap)
          throw error
        })
      }
      const recovered = this.#failures > 0
      this.#failures = 0
      this.#failure = undefined
      if (recovered) onChange?.(this.state)
    } catch (error) {
      const began = this.#failures++ === 0
      this.#failure = error as Error
      if (began) onChange?.(this.state)
    }
  }

  /** Writes the oldest snapshots together. They leave the queue, and return to its front if the write fails. */
  async #writeNext(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#suspects > 0 ? 1 : this.#roomInOneWrite())
    try {
      await this.#options.store.writeSnapshots(batch.map(({ snapshot }) => snapshot))
    } catch (error) {
      const unwritable = error instanceof UnwritableSnapshot
      if (unwritable && batch.length === 1) return this.#dropUnwritable(batch[0], error)
      this.#waiting.unshift(...batch)
      if (unwritable) this.#suspects = batch.length
      this.#makeRoom()
      if (unwritable) return
      throw error
    }
    this.#suspects = Math.max(0, this.#suspects - batch.length)
    this.#written += batch.length
    for (const { bytes } of batch) this.#waitingBytes -= bytes
  }

  /** Number of oldest snapshots that fit in one write, at least one. */
  #roomInOneWrite(): number {
    let size = 0
    const end = this.#waiting.findIndex(({ bytes }) => (size += bytes) > MAX_WRITE_BYTES)
    return end < 0 ? this.#waiting.length : Math.max(1, end)
  }

  #dropUnwritable(waiting: Waiting, error: Error): void {
    this.#suspects = Math.max(0, this.#suspects - 1)
    this.#drop(waiting, `a snapshot could not be written: ${error.message}`)
    this.#options.onUnwritable?.(headerOf(waiting.snapshot.chain), error)
  }

  #writeIn(milliseconds: number): void {
    if (this.#closed || this.#writing !== undefined) return
    this.#timer ??= setTimeout(() => this.flush(), milliseconds).unref()
  }
}
