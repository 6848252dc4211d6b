import { LRUCache } from 'lru-cache'
import { session } from '../market/calendar.ts'
import { type Chain, type ChainHeader, headerOf } from '../market/chain.ts'
import { easternDate } from '../market/eastern.ts'
import { backOff } from '../pacing/back-off.ts'
import { MAX_SILENCE } from './closing.ts'
import { UnwritableSnapshot } from './history-error.ts'
import type { ChainSnapshot, Gap, HistoryStore } from './history-store.ts'
import { memoryOf, snapshotOf } from './observed-snapshot.ts'

export interface RecorderOptions {
  readonly store: Pick<HistoryStore, 'writeSnapshots' | 'writeGap'>
  /** The least time between two snapshots of a symbol, milliseconds. The last one of a session is always written. */
  readonly every: number
  /** Bytes of snapshots that may wait while the archive accepts none. */
  readonly maxWaitingBytes: number
  /** The archive began to refuse writes, or accepts them again. */
  readonly onChange?: (state: RecorderState) => void
  /** A snapshot was given up since it has no form in the archive (UnwritableSnapshot). */
  readonly onUnwritable?: (chain: ChainHeader, error: Error) => void
}

export interface RecorderState {
  /** Why the archive refuses writes at the moment; undefined while it accepts them. */
  readonly failure: Error | undefined
  /** Snapshots and bytes that wait to be written, snapshots written and snapshots given up since the start. */
  readonly waiting: number
  readonly waitingBytes: number
  readonly written: number
  readonly lost: number
}

/** Snapshots are gathered for so long before they are written together: fewer and larger writes, milliseconds. */
const BATCH_DELAY = 3000
/** Writes of other rows than snapshots that may wait. They are few, and most can be made again. */
const MAX_OTHER_WRITES = 10_000
/** Bytes of snapshots that one write may hold. */
const MAX_WRITE_BYTES = 32 * 2 ** 20
const MAX_SESSIONS = 20_000
/** Between two writes while the archive refuses, milliseconds. */
const pauses = { first: 1000, longest: 60_000 }

interface Waiting {
  readonly snapshot: ChainSnapshot
  readonly bytes: number
}

/**
 * Writes the chains and rows of the live market into the archive, in their order, without holding up its caller. While
 * the archive refuses, snapshots wait in memory; past `maxWaitingBytes` the oldest are given up, and their gap is
 * written as soon as anything can be. A snapshot that has no form in the archive is given up at once, with its gap.
 */
export class SnapshotRecorder {
  readonly #options: RecorderOptions
  /** The newest snapshot of each symbol and session: the close of an earlier day may be seen after the present one. */
  readonly #last = new LRUCache<string, Pick<Chain, 'asOf' | 'source'>>({ max: MAX_SESSIONS })
  readonly #gaps: Gap[] = []
  readonly #otherWrites: (() => Promise<void>)[] = []
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #written = 0
  #lost = 0
  /** So many of the oldest snapshots are written one by one: one of them has no form in the archive. */
  #suspects = 0
  #failures = 0
  #failure: Error | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #closed = false

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** Queues a chain for the archive where one is due. False: none is. */
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

  /**
   * Queues rows other than snapshots: `write` is called after the snapshots recorded before, again until it succeeds.
   */
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

  /** Writes what waits. Resolves when all of it is safe, or when the archive refused. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return (this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
      if (this.#failures > 0) this.#writeIn(backOff(this.#failures, pauses))
      // Queued after its turn in this write: the next chain may come after a night.
      else if (this.#waiting.length + this.#otherWrites.length + this.#gaps.length > 0) this.#writeIn(BATCH_DELAY)
    }))
  }

  /** Writes what waits one last time. What the archive refuses now is lost, and `state` says how much. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#writing
    await this.flush()
  }

  /** The first snapshot of each stretch of time, and any that is newer once the session is over. */
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
      // A session without a snapshot for so long has a gap: replay takes no older one.
      const silence = asOf - last > Math.max(MAX_SILENCE, 2 * every)
      // Between two sources nobody observed the market, however short it was.
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
    // One gap for all snapshots lost in a row.
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
        // Taken out first: a gap that grows meanwhile is written down anew.
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

  /** Writes the oldest snapshots together. They leave the queue meanwhile, and return to its head where that fails. */
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

  /** How many of the oldest snapshots one write may hold, at least one. */
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
