import { LRUCache } from 'lru-cache'
import { session } from '../market/calendar.ts'
import { type Chain, type ChainHeader, headerOf } from '../market/chain.ts'
import { easternDate } from '../market/eastern.ts'
import type { Instant } from '../market/units.ts'
import { UnwritableImage } from './history-error.ts'
import { bytesOf, imageOf } from './observed-image.ts'
import type { ChainImage, Gap, HistoryStore } from './store.ts'

export interface RecorderOptions {
  readonly store: Pick<HistoryStore, 'writeImages' | 'writeGap'>
  /** The least time between two images of a symbol, milliseconds. The last one of a session is kept whenever it comes. */
  readonly every: number
  /** Bytes of images that may wait while the archive takes none. */
  readonly room: number
  /** The archive began to refuse, or takes again what it is given. */
  readonly onChange?: (state: RecorderState) => void
  /** An image was given up since it has no form in the archive (UnwritableImage). */
  readonly onUnwritable?: (chain: ChainHeader, fault: Error) => void
}

export interface RecorderState {
  /** Why the archive takes nothing at the moment; undefined while it does. */
  readonly fault: Error | undefined
  /** Images and bytes that wait to be written, images written and images given up since the start. */
  readonly waiting: number
  readonly waitingBytes: number
  readonly written: number
  readonly lost: number
}

/** Images are gathered for so long before they are written together: fewer and larger writes, milliseconds. */
const gathering = 3000
/** Writes of other rows than images that may wait. They are few, and most can be made again. */
const mostOthers = 10_000
/** Bytes of images that one write may hold. */
const largestWrite = 32 * 2 ** 20
const mostSessions = 20_000
const firstPause = 1000
const longestPause = 60_000
/** A session without an image for longer than this has a gap: replay takes no older one. */
const longestSilence = 5 * 60_000

interface Waiting {
  readonly image: ChainImage
  readonly bytes: number
}

/**
 * Writes what the live market sees into the archive, in the order it was seen. Nobody waits for it: while the archive
 * refuses, images wait in memory, and once there is no room the oldest are given up and the gap is written down as
 * soon as anything can be written again. An image that has no form in the archive is given up at once, with its gap.
 */
export class Recorder {
  readonly #options: RecorderOptions
  /** The newest image of each symbol and session: the close of an earlier day may be seen after the present one. */
  readonly #last = new LRUCache<string, Instant>({ max: mostSessions })
  readonly #gaps: Gap[] = []
  readonly #others: (() => Promise<void>)[] = []
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #written = 0
  #lost = 0
  /** So many of the oldest images are written one by one: one of them has no form in the archive. */
  #suspects = 0
  #faults = 0
  #fault: Error | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #closed = false

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** Takes note of a chain as it was just seen. */
  see(chain: Chain): void {
    if (this.#closed || !this.#isDue(chain)) return
    const image = imageOf(chain)
    const bytes = bytesOf(image)
    this.#waiting.push({ image, bytes })
    this.#waitingBytes += bytes
    this.#makeRoom()
    if (this.#faults === 0) this.#writeIn(gathering)
  }

  /** Takes note of rows other than images: `write` is called after the images seen before, and again until it succeeds. */
  note(write: () => Promise<void>): void {
    if (this.#closed || this.#others.length >= mostOthers) return
    this.#others.push(write)
    if (this.#faults === 0) this.#writeIn(gathering)
  }

  get state(): RecorderState {
    return {
      fault: this.#fault,
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
      if (this.#faults > 0) this.#writeIn(Math.min(longestPause, firstPause * 2 ** (this.#faults - 1)))
      // What was seen after its turn in this write: the next one may be a night away.
      else if (this.#waiting.length + this.#others.length + this.#gaps.length > 0) this.#writeIn(gathering)
    }))
  }

  /** Writes what waits one last time. What the archive refuses now is lost, and `state` says how much. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#writing
    await this.flush()
  }

  /** The first image of each stretch of time, and any that is newer once the session is over. */
  #isDue({ symbol, asOf }: Chain): boolean {
    const { every } = this.#options
    const name = `${symbol} ${easternDate(asOf)}`
    const last = this.#last.get(name)
    const hours = session(easternDate(asOf))
    if (last !== undefined) {
      if (asOf <= last) return false
      const over = hours === undefined || asOf >= hours.close
      if (!over && Math.floor(asOf / every) === Math.floor(last / every)) return false
      const silence = asOf - last > Math.max(longestSilence, 2 * every)
      if (silence && hours !== undefined && last >= hours.open && last < hours.close) {
        const to = Math.min(asOf, hours.close)
        this.#gaps.push({ symbol, from: last, to, reason: 'the data source gave no image' })
      }
    }
    this.#last.set(name, asOf)
    return true
  }

  #makeRoom(): void {
    const slow = 'the archive takes images more slowly than they come'
    const reason = this.#fault === undefined ? slow : `the archive took no images: ${this.#fault.message}`
    while (this.#waitingBytes > this.#options.room && this.#waiting.length > 1) {
      this.#giveUp(this.#waiting.shift()!, reason)
    }
  }

  #giveUp({ image, bytes }: Waiting, reason: string): void {
    const { symbol, asOf } = image.chain
    this.#waitingBytes -= bytes
    this.#lost++
    const to = asOf + this.#options.every
    // One gap for what is lost in a row, however many images that are.
    const open = this.#gaps.findLastIndex((gap) => gap.symbol === symbol && gap.from <= asOf && gap.to >= asOf)
    if (open >= 0) this.#gaps[open] = { ...this.#gaps[open], to: Math.max(this.#gaps[open].to, to) }
    else this.#gaps.push({ symbol, from: asOf, to, reason })
  }

  async #write(): Promise<void> {
    const { store, onChange } = this.#options
    try {
      while (this.#waiting.length > 0) await this.#writeNext()
      while (this.#others.length > 0) {
        await this.#others[0]()
        this.#others.shift()
      }
      while (this.#gaps.length > 0) {
        // Taken out first: a gap that grows meanwhile is written down anew.
        const gap = this.#gaps.shift()!
        await store.writeGap(gap).catch((error) => {
          this.#gaps.unshift(gap)
          throw error
        })
      }
      const recovered = this.#faults > 0
      this.#faults = 0
      this.#fault = undefined
      if (recovered) onChange?.(this.state)
    } catch (error) {
      const began = this.#faults++ === 0
      this.#fault = error as Error
      if (began) onChange?.(this.state)
    }
  }

  /** Writes the oldest images together. They are out of the line meanwhile, and back at its head where that fails. */
  async #writeNext(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#suspects > 0 ? 1 : this.#roomInOneWrite())
    try {
      await this.#options.store.writeImages(batch.map(({ image }) => image))
    } catch (error) {
      const unwritable = error instanceof UnwritableImage
      if (unwritable && batch.length === 1) return this.#giveUpUnwritable(batch[0], error)
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

  /** How many of the oldest images one write may hold, at least one. */
  #roomInOneWrite(): number {
    let size = 0
    const end = this.#waiting.findIndex(({ bytes }) => (size += bytes) > largestWrite)
    return end < 0 ? this.#waiting.length : Math.max(1, end)
  }

  #giveUpUnwritable(waiting: Waiting, fault: Error): void {
    this.#suspects = Math.max(0, this.#suspects - 1)
    this.#giveUp(waiting, `an image could not be written: ${fault.message}`)
    this.#options.onUnwritable?.(headerOf(waiting.image.chain), fault)
  }

  #writeIn(milliseconds: number): void {
    if (this.#closed || this.#writing !== undefined) return
    this.#timer ??= setTimeout(() => this.flush(), milliseconds).unref()
  }
}
