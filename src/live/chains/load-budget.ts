import { apiError } from '../../api/error.ts'
import type { RequestRate } from '../../connectors/port/connector.ts'
import { type After, endsWithin } from '../../facts/bounded-wait.ts'
import { FIRST_CHAIN_WAIT, MAX_SOURCE_PAUSE } from '../../facts/freshness.ts'
import { TokenBucket, TokenBuckets } from '../../pacing/token-bucket.ts'

export interface LoadBudgetOptions {
  /** Rate at which the source accepts on-demand loads; undefined: only the number of parallel loads is limited. */
  readonly rate: RequestRate | undefined
  readonly steadyNow: () => number
  readonly after: After
}

/** Maximum number of on-demand loads at once. */
const MAX_UNDER_WAY = 4
/** Rate limit of one client: below that of any source, so a client meets its own limit first. */
export const clientRate: RequestRate = { burst: 30, perMinute: 30 }
const MAX_CLIENTS = 10_000

interface Waiting {
  readonly start: () => void
  readonly refuse: () => void
}

/**
 * Limits loads of symbols outside the universe: four at a time, at the rate the source allows, each client within a
 * limit of its own. A pause that the source asks for applies to all requests to it.
 */
export class LoadBudget {
  readonly #options: LoadBudgetOptions
  readonly #source: TokenBucket | undefined
  readonly #clients = new TokenBuckets(MAX_CLIENTS)
  readonly #queue: Waiting[] = []
  #underWay = 0
  /** End of the pause that the source asked for, milliseconds of the steady clock. */
  #pausedUntil = Number.NEGATIVE_INFINITY
  #isTurnSet = false

  constructor(options: LoadBudgetOptions) {
    this.#options = options
    this.#source = options.rate === undefined ? undefined : new TokenBucket(options.rate, options.steadyNow())
  }

  get isPaused(): boolean {
    return this.#pausedUntil > this.#options.steadyNow()
  }

  /** Pauses requests to the source, for an hour at most. */
  pause(milliseconds: number): void {
    const until = this.#options.steadyNow() + Math.min(milliseconds, MAX_SOURCE_PAUSE)
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
  }

  /** Throws if the source has asked for a pause. */
  refusePaused(): void {
    if (!this.isPaused) return
    const seconds = Math.ceil((this.#pausedUntil - this.#options.steadyNow()) / 1000)
    const message = `the data source asks for a pause; try again in ${seconds} s`
    throw apiError('data_loading', message, { loading: 'chains' }, seconds)
  }

  /** Counts a load against its client's limit. Throws if the client has loaded too many. */
  takeFor(client: string): void {
    const wait = this.#clients.take(client, clientRate, this.#options.steadyNow())
    if (wait === 0) return
    const seconds = Math.ceil(wait / 1000)
    const message = `too many symbols that were not held have been asked for; try again in ${seconds} s`
    throw apiError('too_many_requests', message, { retry_after: seconds }, seconds)
  }

  /** Runs a load when it may start. Throws if that takes too long or the source has asked for a pause. */
  async run<Found>(load: () => Promise<Found>): Promise<Found> {
    this.refusePaused()
    await this.#turn()
    try {
      return await load()
    } finally {
      this.#underWay--
      this.#next()
    }
  }

  async #turn(): Promise<void> {
    if (this.#queue.length === 0 && this.#startOne()) return
    const turn = new Promise<void>((resolve, reject) => {
      const refuse = () =>
        reject(apiError('data_loading', 'too many symbols are being loaded; try again shortly', { loading: 'chains' }))
      this.#queue.push({ start: resolve, refuse })
    })
    const waiting = this.#queue.at(-1)!
    void endsWithin(turn, FIRST_CHAIN_WAIT, this.#options.after).then((ended) => {
      const at = ended ? -1 : this.#queue.indexOf(waiting)
      if (at < 0) return
      this.#queue.splice(at, 1)
      waiting.refuse()
    })
    this.#next()
    await turn
  }

  /** Starts the next queued load if a slot and a token are free. */
  #startOne(): boolean {
    if (this.#underWay >= MAX_UNDER_WAY) return false
    if (this.#source !== undefined && this.#source.take(this.#options.steadyNow()) > 0) return false
    this.#underWay++
    return true
  }

  #next(): void {
    while (this.#queue.length > 0 && this.#startOne()) this.#queue.shift()!.start()
    const wait = this.#source?.wait(this.#options.steadyNow()) ?? 0
    if (this.#queue.length === 0 || wait === 0 || this.#isTurnSet) return
    this.#isTurnSet = true
    this.#options.after(wait, () => {
      this.#isTurnSet = false
      this.#next()
    })
  }
}
