import type { MaybePromise } from '../api/maybe-promise.ts'
import { type Instant, isoInstant, MILLISECONDS_PER_DAY } from '../market/units.ts'
import type { Database } from './database.ts'
import type { Metered, QuotaCounters, StoredQuota, Taken } from './quota.ts'
import { type BlockCall, RequestBlock, type Waiting } from './request-block.ts'
import type { Sharing } from './sharing.ts'
import { type DailyUsage, firstShownDay, usageOfUser } from './usage.ts'

export interface SharedQuotaOptions {
  /** Counts the requests of unlimited plans. */
  readonly unlimited: StoredQuota
  /** Milliseconds of a clock that runs on evenly. */
  readonly steadyNow: () => number
  readonly wallNow: () => Instant
  /** Requests of a user that are answered, and counted later, each time that the database is silent. */
  readonly whenLost: number
  /** Called when the database goes silent, and when it answers again. */
  readonly onLost?: (error: unknown) => void
  readonly onFound?: () => void
  /** Milliseconds that a request waits for a grant at most. */
  readonly patience?: number
}

const PATIENCE = 250
/** Milliseconds between two looks for blocks that nobody uses, and between two calls to a database that is silent. */
const SWEEP_EVERY = 250
/** Milliseconds after a failed call before the next. */
const AGAIN_AFTER = 100

/**
 * Counts requests of users together with other services of one database, exactly. The database grants each service
 * requests in blocks of about a second's, and counts them as used; a service answers from its blocks without asking.
 * The rest of a block is lost with its service, because a service that only stood still may go on to use it.
 */
export class SharedQuota implements QuotaCounters {
  readonly #sharing: Sharing
  readonly #database: Pick<Database, 'read' | 'directory'>
  readonly #options: SharedQuotaOptions
  readonly #blocks = new Map<string, RequestBlock>()
  /** Blocks that the next call speaks of. */
  readonly #queue = new Set<RequestBlock>()
  /** Blocks that may hold something to give back, or to tell. */
  readonly #held = new Set<RequestBlock>()
  #running: Promise<void> | undefined
  /** The clock of the database less the steady one, milliseconds. */
  #offset: number
  /** Whether the last call failed. */
  #isLost = false
  #outage = 0
  #calls = 0
  /** Day on which users of days before were forgotten. */
  #forgottenOn = ''
  readonly #sweeping: NodeJS.Timeout

  constructor(sharing: Sharing, database: Pick<Database, 'read' | 'directory'>, options: SharedQuotaOptions) {
    this.#sharing = sharing
    this.#database = database
    this.#options = options
    this.#offset = options.wallNow() - options.steadyNow()
    this.#sweeping = setInterval(() => this.#sweep(), SWEEP_EVERY).unref()
  }

  get waiting(): number {
    return this.#options.unlimited.waiting
  }

  /** Calls to the database so far. */
  get calls(): number {
    return this.#calls
  }

  /** Requests that are granted and not answered yet. */
  get unused(): number {
    return [...this.#held].reduce((sum, { left }) => sum + left, 0)
  }

  isAtHand(account: Metered): boolean {
    const { userId, plan } = account
    if (plan.dailyLimit === undefined) return true
    const block = this.#blocks.get(userId)
    return block !== undefined && block.left > 0 && block.limit === plan.dailyLimit && block.isOf(this.#now())
  }

  take(account: Metered, count = 1): MaybePromise<Taken> {
    const { plan, panel } = account
    if (plan.dailyLimit === undefined) return this.#options.unlimited.take(account, count)
    const now = this.#options.steadyNow()
    const block = this.#block(account, now)
    block.note(now)
    if (block.left >= count) {
      const taken = block.spend(count, panel !== undefined)
      if (block.isLow && !this.#isLost && !block.refuses(1, now)) this.#ask(block)
      return taken
    }
    if (block.refuses(count, now)) return { allowed: false, used: block.used }
    if (this.#isLost) return this.#whileSilent(block, count, panel !== undefined)
    return this.#wait(block, count, panel !== undefined)
  }

  refund(account: Metered, count = 1): void {
    const { userId, plan, panel } = account
    const block = this.#blocks.get(userId)
    if (plan.dailyLimit === undefined) this.#options.unlimited.refund(account, count)
    else if (block?.isOf(this.#now())) {
      block.refund(count, panel !== undefined)
      this.#held.add(block)
    }
  }

  used({ userId, plan }: Metered): number {
    if (plan.dailyLimit === undefined) return 0
    const block = this.#blocks.get(userId)
    if (block?.isOf(this.#now())) return block.used
    return this.#database.directory.count(userId, this.#today())
  }

  /** Today's count has what other services were granted and have not answered yet, which is about a second's. */
  async byDay({ userId, plan }: Metered): Promise<readonly DailyUsage[]> {
    const today = this.#today()
    if (plan.dailyLimit === undefined) await this.#options.unlimited.flush()
    const days = await usageOfUser(this.#database, userId, firstShownDay(today))
    const unused = this.#blocks.get(userId)?.left ?? 0
    const shown = days.map((day) => (day.date === today ? { ...day, requests: day.requests - unused } : day))
    return shown.filter(({ requests }) => requests > 0)
  }

  resetsAt(): number {
    return (Math.floor(this.#now() / MILLISECONDS_PER_DAY) + 1) * MILLISECONDS_PER_DAY
  }

  /** Gives back what is not used, and writes what is unwritten. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    await this.#running
    for (const block of this.#held) {
      block.giveBack()
      if (block.hasNews) this.#queue.add(block)
    }
    if (this.#queue.size > 0 && !this.#isLost) await this.#call(false)
    await this.#options.unlimited.close()
  }

  /** Now by the clock of the database. */
  #now(): Instant {
    return this.#options.steadyNow() + this.#offset
  }

  #today() {
    return isoInstant(this.#now()).slice(0, 10) as ReturnType<typeof firstShownDay>
  }

  #block({ userId, plan }: Metered, now: number): RequestBlock {
    const limit = plan.dailyLimit!
    let block = this.#blocks.get(userId)
    if (block === undefined) {
      const today = this.#today()
      block = new RequestBlock(userId, limit, today, this.#database.directory.count(userId, today), now)
      this.#blocks.set(userId, block)
    }
    if (!block.isOf(now + this.#offset)) block.beginDay(this.#today())
    block.follow(limit)
    return block
  }

  #ask(block: RequestBlock): void {
    this.#queue.add(block)
    this.#running ??= this.#run()
  }

  #wait(block: RequestBlock, count: number, isOfPanel: boolean): Promise<Taken> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        count,
        isOfPanel,
        isOver: false,
        resolve(taken) {
          clearTimeout(deadline)
          resolve(taken)
        }
      }
      const deadline = setTimeout(() => {
        waiting.isOver = true
        resolve(this.#whileSilent(block, count, isOfPanel))
      }, this.#options.patience ?? PATIENCE)
      block.waiting.push(waiting)
      this.#ask(block)
    })
  }

  /** Answers a request while the database cannot be asked. */
  #whileSilent(block: RequestBlock, count: number, isOfPanel: boolean): Taken {
    if (block.unasked.outage !== this.#outage) block.unasked = { outage: this.#outage, count: 0 }
    const { unasked } = block
    if (unasked.count + count > this.#options.whenLost) return { allowed: false, used: block.used, isUnknown: true }
    unasked.count += count
    this.#held.add(block)
    return block.owe(count, isOfPanel)
  }

  /** Makes one call after the other for as long as there is something to ask. What comes meanwhile goes with the next. */
  async #run(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve))
      const isWell = await this.#call(true)
      if (!isWell) await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER))
    } while (this.#queue.size > 0)
    this.#running = undefined
  }

  /** Asks about all queued blocks in one call. Returns whether the database answered. */
  async #call(isInUse: boolean): Promise<boolean> {
    const now = this.#options.steadyNow()
    const blocks = [...this.#queue].sort((a, b) => (a.userId < b.userId ? -1 : 1))
    this.#queue.clear()
    const calls = blocks.flatMap((block) => block.calls(isInUse && !block.isUnused(now)))
    this.#calls++
    try {
      const granted = await this.#sharing.reserve(calls.map(({ block: _block, waiting: _waiting, ...asked }) => asked))
      this.#found(granted.at(-1)?.at)
      const at = this.#options.steadyNow()
      for (const [k, call] of calls.entries()) call.block.receive(call, granted[k]!, at)
      for (const block of blocks) if (block.left > 0 || block.hasNews) this.#held.add(block)
      return true
    } catch (error) {
      this.#lost(error)
      for (const call of calls) this.#refuse(call)
      return false
    }
  }

  #refuse(call: BlockCall): void {
    const { block, waiting } = call
    block.failed(call)
    for (const each of waiting) {
      if (each.isOver) continue
      each.isOver = true
      each.resolve(this.#whileSilent(block, each.count, each.isOfPanel))
    }
  }

  #lost(error: unknown): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#options.onLost?.(error)
  }

  #found(at: string | undefined): void {
    if (at !== undefined) this.#offset = Date.parse(at) - this.#options.steadyNow()
    if (!this.#isLost) return
    this.#isLost = false
    this.#outage++
    this.#options.onFound?.()
  }

  /** Gives back what nobody uses. A database that is silent is asked again, so that a service without requests notices. */
  #sweep(): void {
    if (this.#isLost) {
      this.#running ??= this.#run()
      return
    }
    const now = this.#options.steadyNow()
    for (const block of this.#held) {
      if (!block.isUnused(now) && block.owed === 0) continue
      if (block.isUnused(now)) block.giveBack()
      if (block.hasNews) this.#ask(block)
      else this.#held.delete(block)
    }
    this.#forget(now)
  }

  /** Forgets users of a day that is over. */
  #forget(now: number): void {
    const today = this.#today()
    if (this.#forgottenOn === today) return
    this.#forgottenOn = today
    for (const [userId, block] of this.#blocks) {
      if (!block.isOf(now + this.#offset) && block.isUnused(now) && !block.hasNews) this.#blocks.delete(userId)
    }
  }
}
