import { dateOfEpochDay, MILLISECONDS_PER_DAY } from '../market/units.ts'
import type { Account } from './accounts.ts'
import type { Database } from './database.ts'
import { type DailyUsage, firstShownDay, usageOfUser } from './usage.ts'

/** The part of an account that request counting needs. All keys of a user share one count. */
export type Metered = Pick<Account, 'userId' | 'plan' | 'panel'>

/**
 * Counts the requests of each user in a UTC day. This is an interface so that a shared store can replace memory and
 * SQLite when several machines serve the same users.
 */
export interface QuotaCounters {
  /**
   * Counts one request if the plan allows one more; `used` includes it. On an unlimited plan requests are counted for
   * the operator, but `used` is 0, as the interface specification demands.
   */
  take(account: Metered): { readonly allowed: boolean; readonly used: number }
  /** Takes back the count of a request that turns out not to count (a 403 or 5xx response). */
  refund(account: Metered): void
  /** Requests counted today; 0 on an unlimited plan. */
  used(account: Metered): number
  /**
   * Requests per day over the last 90 days, today last; days without requests are left out. Unlimited plans are counted
   * too.
   */
  byDay(account: Metered): readonly DailyUsage[]
  /** When today's counts end, epoch milliseconds: the next 00:00 UTC. */
  resetsAt(): number
  close(): void
}

export interface QuotaOptions {
  readonly now: () => number
  /**
   * Called once when a batch of counts cannot be written, until a write succeeds. The write is retried every second.
   */
  readonly onError: (error: unknown) => void
  /** Called when counts are written successfully after a failure. */
  readonly onRecovered?: () => void
}

interface Counter {
  /** Day and user as one string, built once rather than with each request. */
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
const ROWS_PER_STATEMENT = 1000 // SQLite takes 32,766 parameters, four for each row

/**
 * Request counters in memory, exact within the process because one thread counts. One transaction a second adds them to
 * the database, so a killed process loses at most its last second. If a busy machine fires the timer late, the first
 * request counted after the deadline writes them. If several processes use one file, their counts add up; each process
 * sees the others' counts as of its own last write.
 */
export class StoredQuota implements QuotaCounters {
  readonly #database: Database
  readonly #now: () => number
  readonly #onError: (error: unknown) => void
  readonly #onRecovered: () => void
  readonly #counts = new Map<string, Counter>()
  readonly #unwritten = new Map<string, Unwritten>()
  #day = Number.NaN
  #date = ''
  #timer: NodeJS.Timeout | undefined
  #due = Number.POSITIVE_INFINITY
  #failure: unknown

  constructor(database: Database, { now, onError, onRecovered = () => {} }: QuotaOptions) {
    this.#database = database
    this.#now = now
    this.#onError = onError
    this.#onRecovered = onRecovered
  }

  /** Why the last batch of counts could not be written; undefined if it was. */
  get failure(): unknown {
    return this.#failure
  }

  get waiting(): number {
    return new Set([...this.#unwritten.values()].map(({ userId }) => userId)).size
  }

  take(account: Metered): { readonly allowed: boolean; readonly used: number } {
    const { plan } = account
    const now = this.#now()
    const counter = this.#counter(account.userId, now)
    if (counter.count >= (plan.dailyLimit ?? Infinity)) return { allowed: false, used: counter.count }
    this.#add(account, counter, 1, now)
    return { allowed: true, used: plan.dailyLimit === undefined ? 0 : counter.count }
  }

  refund(account: Metered): void {
    const now = this.#now()
    const counter = this.#counter(account.userId, now)
    if (counter.count > 0) this.#add(account, counter, -1, now) // nothing to give back after midnight
  }

  used(account: Metered): number {
    return account.plan.dailyLimit === undefined ? 0 : this.#counter(account.userId, this.#now()).count
  }

  byDay({ userId }: Metered): readonly DailyUsage[] {
    this.#counter(userId, this.#now())
    const first = firstShownDay(dateOfEpochDay(this.#day))
    const days = new Map(usageOfUser(this.#database, userId, first).map((each) => [each.date, each]))
    for (const { userId: whose, day, count, ofPanels } of this.#unwritten.values()) {
      if (whose !== userId || day < first) continue
      const written = days.get(day) ?? { requests: 0, ofPanels: 0 }
      days.set(day, { date: day, requests: written.requests + count, ofPanels: written.ofPanels + ofPanels })
    }
    const sorted = [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
    return sorted.filter(({ requests }) => requests > 0)
  }

  resetsAt(): number {
    return (Math.floor(this.#now() / MILLISECONDS_PER_DAY) + 1) * MILLISECONDS_PER_DAY
  }

  /** Writes unwritten counts now. Returns true if nothing is left to write. */
  flush(): boolean {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#due = Number.POSITIVE_INFINITY
    if (this.#unwritten.size === 0) return true
    try {
      this.#write([...this.#unwritten.values()])
      this.#unwritten.clear()
      if (this.#failure !== undefined) this.#onRecovered()
      this.#failure = undefined
      return true
    } catch (error) {
      if (this.#failure === undefined) this.#onError(error)
      this.#failure = error
      this.#writeLater()
      return false
    }
  }

  close(): void {
    this.flush()
    clearTimeout(this.#timer)
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
    const id = `${this.#date} ${userId}`
    const counter = { id, count: this.#stored(userId, id) }
    this.#counts.set(userId, counter)
    return counter
  }

  #stored(userId: string, id: string): number {
    const { build } = this.#database
    const query = build.selectFrom('usage').select('count').where('user_id', '=', userId).where('day', '=', this.#date)
    const written = this.#database.rows(query)[0]?.count ?? 0
    return Math.max(0, written + (this.#unwritten.get(id)?.count ?? 0))
  }

  #add({ userId, panel }: Metered, counter: Counter, change: 1 | -1, now: number): void {
    counter.count += change
    const ofPanels = panel === undefined ? 0 : change
    const waiting = this.#unwritten.get(counter.id)
    if (waiting === undefined) this.#unwritten.set(counter.id, { userId, day: this.#date, count: change, ofPanels })
    else {
      waiting.count += change
      waiting.ofPanels += ofPanels
    }
    if (this.#failure === undefined && now >= this.#due) this.flush()
    else this.#writeLater()
  }

  #writeLater(): void {
    if (this.#timer !== undefined) return
    this.#due = this.#now() + WRITE_EVERY
    this.#timer = setTimeout(() => this.flush(), WRITE_EVERY).unref()
  }

  #write(batch: readonly Unwritten[]): void {
    const { build } = this.#database
    const totals = this.#database.transaction(() => {
      const written: { user_id: string; day: string; count: number }[] = []
      for (let i = 0; i < batch.length; i += ROWS_PER_STATEMENT) {
        const rows = batch.slice(i, i + ROWS_PER_STATEMENT)
        const query = build
          .insertInto('usage')
          .values(
            rows.map(({ userId, day, count, ofPanels }) => ({ user_id: userId, day, count, panel_count: ofPanels }))
          )
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'day']).doUpdateSet(({ eb, ref }) => ({
              count: eb('usage.count', '+', ref('excluded.count')),
              panel_count: eb('usage.panel_count', '+', ref('excluded.panel_count'))
            }))
          )
          .returning(['user_id', 'day', 'count'])
        written.push(...this.#database.rows(query))
      }
      return written
    })
    for (const { user_id, day, count } of totals) {
      const counter = day === this.#date ? this.#counts.get(user_id) : undefined
      if (counter !== undefined) counter.count = Math.max(0, count)
    }
  }
}
