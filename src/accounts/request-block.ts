import { type Instant, MILLISECONDS_PER_DAY } from '../market/units.ts'
import type { Taken } from './quota.ts'
import type { AskedRequests, GrantedRequests } from './sharing.ts'

/** Requests fetched ahead for a user at most. */
const MAX_AHEAD = 64
/** Milliseconds for which a user whose requests are used up is refused without asking again. */
const REFUSED_FOR = 250
/** Milliseconds after which what a user does not use is given back. */
const UNUSED_AFTER = 2000

/** A request, or several that count together, that waits for a grant. */
export interface Waiting {
  readonly count: number
  readonly isOfPanel: boolean
  readonly resolve: (taken: Taken) => void
  /** Whether it was answered without a grant. */
  isOver: boolean
}

/** A row of a call to the database, and the requests that wait for its grant. */
export interface BlockCall extends AskedRequests {
  readonly block: RequestBlock
  readonly waiting: readonly Waiting[]
}

/** Counts of a day that the database does not have yet. */
interface Untold {
  readonly day: string
  back: number
  ofPanels: number
}

/** Requests of one user on one day that the database granted to this service and that it has not answered yet. */
export class RequestBlock {
  readonly userId: string
  limit: number
  /** Requests that may be answered without asking. */
  left = 0
  /** Requests answered although the database was silent, see `SharedQuota`. */
  owed = 0
  /** How many of them were answered since the database went silent for the `outage`-th time. */
  unasked = { outage: 0, count: 0 }
  waiting: Waiting[] = []
  usedAt: number
  #day: string
  #dayNumber: number
  #untold: Untold
  #before: Untold | undefined
  /** Requests answered today by this service. */
  #answered = 0
  /** Requests of the user today as the database counts them: answered, or granted to some service. */
  #counted: number
  /** How much of `owed` the call under way tells. */
  #owedAsked = 0
  #refused = { until: Number.NEGATIVE_INFINITY, count: 0 }
  #second = 0
  #taken = 0
  #takenBefore = 0

  constructor(userId: string, limit: number, day: string, counted: number, now: number) {
    this.userId = userId
    this.limit = limit
    this.#day = day
    this.#dayNumber = dayNumberOf(day)
    this.#untold = { day, back: 0, ofPanels: 0 }
    this.#counted = counted
    this.usedAt = now
  }

  get used(): number {
    return this.#counted - this.left - this.#untold.back + this.owed
  }

  /** Whether it is of the day of a moment by the clock of the database. */
  isOf(moment: Instant): boolean {
    return Math.floor(moment / MILLISECONDS_PER_DAY) === this.#dayNumber
  }

  /** Begins another day: what is left of the one before is given back to that. */
  beginDay(day: string): void {
    this.giveBack(this.left - this.owed)
    if (this.hasNews) this.#before = this.#untold
    this.left = 0
    this.owed = 0
    this.#day = day
    this.#dayNumber = dayNumberOf(day)
    this.#untold = { day, back: 0, ofPanels: 0 }
    this.#answered = 0
    this.#counted = 0
    this.#refused.until = Number.NEGATIVE_INFINITY
  }

  /** Follows another limit. What was granted under the one before is given back. */
  follow(limit: number): void {
    if (limit === this.limit) return
    this.limit = limit
    this.giveBack()
    this.#refused.until = Number.NEGATIVE_INFINITY
  }

  /** Notes that the user asks, at `now` of the steady clock. */
  note(now: number): void {
    const second = Math.floor(now / 1000)
    if (second !== this.#second) {
      this.#takenBefore = second === this.#second + 1 ? this.#taken : 0
      this.#taken = 0
      this.#second = second
    }
    this.#taken++
    this.usedAt = now
  }

  /** Requests of about a second at the pace of the user; 0 for a single one. */
  get #pace(): number {
    return Math.min(MAX_AHEAD, Math.max(this.#taken - 1, this.#takenBefore))
  }

  get isLow(): boolean {
    return this.left < this.#pace / 2
  }

  /** Whether it was heard a moment ago that so many requests are more than the user has left. */
  refuses(count: number, now: number): boolean {
    return now < this.#refused.until && count >= this.#refused.count
  }

  spend(count: number, isOfPanel: boolean): Taken {
    this.left -= count
    return this.#answer(count, isOfPanel)
  }

  /** Answers requests that the database has not granted; it is told of them once it answers again. */
  owe(count: number, isOfPanel: boolean): Taken {
    this.owed += count
    return this.#answer(count, isOfPanel)
  }

  #answer(count: number, isOfPanel: boolean): Taken {
    this.#answered += count
    if (isOfPanel) this.#untold.ofPanels += count
    return { allowed: true, used: this.used }
  }

  /** Takes back the count of answered requests, at most of those that this service answered today. */
  refund(count: number, isOfPanel: boolean): void {
    const back = Math.min(count, this.#answered)
    const ofOwed = Math.min(back, this.owed)
    this.#answered -= back
    this.owed -= ofOwed
    this.left += back - ofOwed
    if (isOfPanel) this.#untold.ofPanels -= back
    const more = this.left - MAX_AHEAD
    if (more > 0) this.giveBack(more)
  }

  giveBack(count = this.left): void {
    this.left -= count
    this.#untold.back += count
  }

  /** Whether the database has something to learn although no request waits. */
  get hasNews(): boolean {
    const { back, ofPanels } = this.#untold
    return back !== 0 || ofPanels !== 0 || this.owed !== 0 || this.#before !== undefined
  }

  isUnused(now: number): boolean {
    return now - this.usedAt >= UNUSED_AFTER && this.waiting.length === 0
  }

  /** Calls to make to the database now. Requests that count together have a call of their own: all or none. */
  calls(isInUse: boolean): readonly BlockCall[] {
    const waiting = this.waiting.filter(({ isOver }) => !isOver)
    this.waiting = []
    const single = waiting.filter(({ count }) => count === 1)
    const together = waiting.filter(({ count }) => count > 1)
    if (together.length > 0) this.giveBack() // so that all that the user has left can be granted at once
    const { day, back, ofPanels } = this.#untold
    const usual = { block: this, userId: this.userId, day, back: 0, ofPanels: 0, ahead: 0, limit: this.limit }
    const ahead = isInUse ? Math.max(0, this.#pace - this.left) : 0
    const calls: BlockCall[] = [
      ...together.map((each) => ({ ...usual, wanted: each.count, least: each.count, waiting: [each] })),
      { ...usual, ahead, wanted: single.length, least: 0, waiting: single }
    ]
    calls[0] = { ...calls[0]!, back: back - this.owed, ofPanels }
    if (this.#before !== undefined) calls.unshift({ ...usual, ...this.#before, wanted: 0, least: 0, waiting: [] })
    this.#before = undefined
    this.#untold = { day: this.#day, back: 0, ofPanels: 0 }
    this.#owedAsked = this.owed
    return calls
  }

  /**
   * Notes that a call failed, maybe after the database did its part. So what it gave back is not given back again, and
   * what was owed is told again: at worst the user has fewer requests, and never more.
   */
  failed({ day, back }: BlockCall): void {
    this.#owedAsked = 0
    if (day !== this.#day && back < 0) this.#before = { day, back, ofPanels: 0 }
  }

  /** Takes in a grant and answers the requests that waited for it. */
  receive({ waiting }: BlockCall, { granted, counted, at }: GrantedRequests, now: number): void {
    if (!at.startsWith(this.#day)) this.beginDay(at.slice(0, 10))
    this.owed -= this.#owedAsked
    this.#owedAsked = 0
    this.#counted = counted
    this.left += granted
    for (const each of waiting) {
      if (each.isOver) continue
      each.isOver = true
      if (this.left >= each.count) each.resolve(this.spend(each.count, each.isOfPanel))
      else {
        this.#refused = { until: now + REFUSED_FOR, count: each.count }
        each.resolve({ allowed: false, used: this.used })
      }
    }
  }
}

const dayNumberOf = (day: string) => Date.parse(day) / MILLISECONDS_PER_DAY
