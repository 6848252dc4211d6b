import type { Resolved } from '../catalog/resolve.ts'
import type { Feed } from './feed.ts'
import { bytesOf } from './wire.ts'

/** Whoever is told when a metric has a new value. */
export interface Listener {
  offer(): void
}

/** A field of a feed that somebody listens to. Its frame is written once, however many they are. */
export class Metric {
  readonly feed: Feed
  readonly resolved: Resolved
  readonly listeners = new Set<Listener>()
  /** The value as JSON bytes; undefined before the first. */
  value: string | undefined
  /** The answer it was read from. */
  seq = 0
  /** False while a row that the id names by its key is not listed. */
  listed = true
  #rest = ''
  #key = ''
  #tail = ''
  #tailStale: boolean | undefined

  constructor(feed: Feed, resolved: Resolved) {
    this.feed = feed
    this.resolved = resolved
  }

  /** Reads the value from the newest answer of the feed, if that was not done yet. */
  read(): void {
    const { body, seq, asOf } = this.feed
    if (body === undefined || this.seq === seq) return
    const { value, key, listed } = this.resolved.reader(body)
    this.value = bytesOf(JSON.stringify(value))
    this.listed = listed
    this.seq = seq
    this.#rest = `,"seq":${seq},"ts":${asOf},"value":${this.value}`
    this.#key = key === undefined ? '' : `,"key":${bytesOf(JSON.stringify(key))}`
    this.#tailStale = undefined
  }

  /** The update frame from its seq to its end, as bytes. */
  tail(stale: boolean): string {
    if (this.#tailStale !== stale) {
      this.#tail = `${this.#rest}${stale ? ',"stale":true' : ''}${this.#key}}`
      this.#tailStale = stale
    }
    return this.#tail
  }
}
