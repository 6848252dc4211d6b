import type { MaybePromise } from '../api/maybe-promise.ts'
import { dateOfEpochDay, MILLISECONDS_PER_DAY } from '../market/units.ts'
import type { Account } from './accounts.ts'
import type { Database } from './database.ts'
import { type DailyUsage, firstShownDay, usageOfUser } from './usage.ts'

/** Outcome of counting one or more requests. */
export interface Taken {
  readonly allowed: boolean
  /** The user's requests today, these included. */
  readonly used: number
  /** Set if the requests are refused only because it is unknown at the moment how many the user has left. */
  readonly isUnknown?: true
}

/** The part of an account that request counting needs. All keys of a user share one count. */
export type Metered = Pick<Account, 'userId' | 'plan' | 'panel'>

/** Counts the requests of each user in a UTC day: for this service alone, or together with others of one database. */
export interface QuotaCounters {
  /**
   * Counts `count` requests, by default one, if the plan allows all of them; else none. `used` includes them. On an
   * unlimited plan requests are counted for the operator, but `used` is 0, as the interface specification demands.
   */
  take(account: Metered, count?: number): MaybePromise<Taken>
  /** Whether `take` counts a request at once. */
  isAtHand(account: Metered): boolean
  /** Takes back the count of requests that turn out not to count (a 403 or 5xx response). */
  refund(account: Metered, count?: number): void
  /** Requests counted today; 0 on an unlimited plan. */
  used(account: Metered): number
  /**
   * Requests per day over the last 90 days, today last; days without requests are left out. Unlimited plans are counted
   * too.
   */
  byDay(account: Metered): Promise<readonly DailyUsage[]>
  /** When today's counts end, epoch milliseconds: the next 00:00 UTC. */
  resetsAt(): number
  /** Writes what is unwritten. */
  close(): Promise<void>
}

export interface QuotaOptions {
  readonly now: () => number
  /**
   * Called once when a batch of counts cannot be written, until a write succeeds. The write is retried every second.
   */
  readonly onError: (error: unknown) => void
  /** Whether other services add to the same counts. All then write users in one order, so that none waits in a circle. */
  readonly isShared?: boolean
  /** Called when counts are written successfully after a failure. */
  readonly onRecovered?: () => void
}

interface Counter {
  /** Begins the row of user and day in a statement, and so names both. Built once rather than with each request. */
  readonly id: string
  count: number
}

interface Unwritten {
  readonly userId: string
  readonly day: string
  count: number
  ofPanels: number
}

const WRITE_EVERY = 1000
/** Users whose counts are written at once: it keeps the database locked for some milliseconds. */
const USERS_PER_STATEMENT = 500

/**
 * Request counters in memory, exact within the process because one thread counts. Each second they are added to the
 * database on another thread, so a killed process loses at most its last second. If a busy machine fires the timer
 * late, the first request counted after the deadline begins to write. If several processes use one file, their counts
 * add up there; each reads a user's count when it first counts that user on a day.
 */
export class StoredQuota implements QuotaCounters {
  readonly #database: Database
  readonly #now: () => number
  readonly #onError: (error: unknown) => void
  readonly #onRecovered: () => void
  readonly #isShared: boolean
  readonly #counts = new Map<string, Counter>()
  readonly #unwritten = new Map<string, Unwritten>()
  #day = Number.NaN
  #date = ''
  #timer: NodeJS.Timeout | undefined
  #due = Number.POSITIVE_INFINITY
  #failure: unknown
  #writing: Promise<void> | undefined

  constructor(database: Database, { now, onError, isShared = false, onRecovered = () => {} }: QuotaOptions) {
    this.#database = database
    this.#now = now
    this.#onError = onError
    this.#isShared = isShared
    this.#onRecovered = onRecovered
  }

  /** Why the last batch of counts could not be written; undefined if it was. */
  get failure(): unknown {
    return this.#failure
  }

  get waiting(): number {
    return new Set([...this.#unwritten.values()].map(({ userId }) => userId)).size
  }

  isAtHand(): boolean {
    return true
  }

  take(account: Metered, count = 1): Taken {
    const { plan } = account
    const now = this.#now()
    const counter = this.#counter(account.userId, now)
    if (counter.count + count > (plan.dailyLimit ?? Infinity)) return { allowed: false, used: counter.count }
    this.#add(account, counter, count, now)
    return { allowed: true, used: plan.dailyLimit === undefined ? 0 : counter.count }
  }

  refund(account: Metered, count = 1): void {
    const now = this.#now()
    const counter = this.#counter(account.userId, now)
    const back = Math.min(count, counter.count) // nothing to give back after midnight
    if (back > 0) this.#add(account, counter, -back, now)
  }

  used(account: Metered): number {
    return account.plan.dailyLimit === undefined ? 0 : this.#counter(account.userId, this.#now()).count
  }

  async byDay({ userId }: Metered): Promise<readonly DailyUsage[]> {
    const first = firstShownDay(dateOfEpochDay(Math.floor(this.#now() / MILLISECONDS_PER_DAY)))
    const stored = await usageOfUser(this.#database, userId, first)
    const counter = this.#counter(userId, this.#now())
    const days = new Map(stored.map((each) => [each.date, each]))
    for (const { userId: whose, day, count, ofPanels } of this.#unwritten.values()) {
      if (whose !== userId || day < first) continue
      const written = days.get(day) ?? { requests: 0, ofPanels: 0 }
      days.set(day, { date: day, requests: written.requests + count, ofPanels: written.ofPanels + ofPanels })
    }
    // Counts of today that are being written may be in the database already, or not yet.
    days.set(this.#date, { date: this.#date, requests: counter.count, ofPanels: days.get(this.#date)?.ofPanels ?? 0 })
    const sorted = [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
    return sorted.filter(({ requests }) => requests > 0)
  }

  resetsAt(): number {
    return (Math.floor(this.#now() / MILLISECONDS_PER_DAY) + 1) * MILLISECONDS_PER_DAY
  }

  /** Writes unwritten counts now. Resolves to true if nothing is left to write. */
  async flush(): Promise<boolean> {
    await this.settled()
    this.#write()
    await this.settled()
    return this.#unwritten.size === 0
  }

  /** Resolves when the counts that are being written on the other thread are in the database, or kept for later. */
  async settled(): Promise<void> {
    await this.#writing
  }

  async close(): Promise<void> {
    await this.flush()
    this.#unschedule()
  }

  /** Writes unwritten counts on another thread, unless that is under way. What cannot be written is kept. */
  #write(): void {
    this.#unschedule()
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
      if (this.#unwritten.size > 0) this.#writeLater()
    })
  }

  async #writeAll(): Promise<void> {
    const waiting = batches(this.#unwritten)
    this.#unwritten.clear()
    try {
      for (;;) {
        const batch = waiting[0]
        if (batch === undefined) break
        const rows = this.#isShared ? batch.toSorted(([a], [b]) => (a < b ? -1 : 1)) : batch
        await this.#database.inBackground(addition(rows))
        waiting.shift()
      }
      this.#succeeded()
    } catch (error) {
      for (const [id, { userId, day, count, ofPanels }] of waiting.flat()) {
        this.#addUnwritten(id, { userId, day, count, ofPanels })
      }
      this.#failed(error)
    }
  }

  #succeeded(): void {
    if (this.#failure !== undefined) this.#onRecovered()
    this.#failure = undefined
  }

  #failed(error: unknown): void {
    if (this.#failure === undefined) this.#onError(error)
    this.#failure = error
    this.#writeLater()
  }

  #counter(userId: string, now: number): Counter {
    const day = Math.floor(now / MILLISECONDS_PER_DAY)
    if (day !== this.#day) {
      this.#day = day
      this.#date = dateOfEpochDay(day)
      this.#counts.clear()
    }
    const known = this.#counts.get(userId)
    if (known !== undefined) return known
    const id = `('${userId.replaceAll("'", "''")}','${this.#date}',`
    const counter = { id, count: this.#stored(userId, id) }
    this.#counts.set(userId, counter)
    return counter
  }

  #stored(userId: string, id: string): number {
    const written = this.#database.directory.count(userId, this.#date)
    return Math.max(0, written + (this.#unwritten.get(id)?.count ?? 0))
  }

  #add({ userId, panel }: Metered, counter: Counter, change: number, now: number): void {
    counter.count += change
    const ofPanels = panel === undefined ? 0 : change
    this.#addUnwritten(counter.id, { userId, day: this.#date, count: change, ofPanels })
    if (this.#failure === undefined && now >= this.#due) this.#write()
    else this.#writeLater()
  }

  #addUnwritten(id: string, { userId, day, count, ofPanels }: Unwritten): void {
    const waiting = this.#unwritten.get(id)
    if (waiting === undefined) this.#unwritten.set(id, { userId, day, count, ofPanels })
    else {
      waiting.count += count
      waiting.ofPanels += ofPanels
    }
  }

  #writeLater(): void {
    if (this.#timer !== undefined) return
    this.#due = this.#now() + WRITE_EVERY
    this.#timer = setTimeout(() => this.#write(), WRITE_EVERY).unref()
  }

  #unschedule(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#due = Number.POSITIVE_INFINITY
  }
}

type Batch = readonly (readonly [id: string, counts: Unwritten])[]

function batches(unwritten: ReadonlyMap<string, Unwritten>): Batch[] {
  const all = [...unwritten]
  const count = Math.ceil(all.length / USERS_PER_STATEMENT)
  return Array.from({ length: count }, (_, k) => all.slice(k * USERS_PER_STATEMENT, (k + 1) * USERS_PER_STATEMENT))
}

/** Statement that adds counts to those of the database. It is plain text, which is cheaper here than 2,000 parameters. */
function addition(batch: Batch): string {
  const rows = batch.map(([id, { count, ofPanels }]) => `${id}${count},${ofPanels})`)
  return `INSERT INTO usage (user_id, day, count, panel_count) VALUES ${rows.join(',')}
ON CONFLICT (user_id, day) DO UPDATE
SET count = usage.count + excluded.count, panel_count = usage.panel_count + excluded.panel_count`
}
