import type { Soon } from '../api/source.ts'
import type { Instant } from '../market/units.ts'
import type { Allowance, LostSet } from './allowance.ts'
import type { Catalog } from './catalog.ts'
import type { Command, Wish } from './command.ts'
import type { Connection } from './connection.ts'
import { Fault } from './fault.ts'
import type { Hub } from './hub.ts'
import { ACK_PATIENCE, WARMING } from './limits.ts'
import type { Metric } from './listened-metric.ts'
import { type Question, questionOf } from './question.ts'
import { type Resolved, resolveMetric } from './resolve.ts'
import { type Kept, Subscription } from './subscription.ts'

export interface HoldingsOptions {
  readonly hub: Hub
  readonly catalog: Catalog
  readonly allowance: Allowance
  readonly wallNow: () => Instant
  /** Resolves after a while. */
  readonly pause: (milliseconds: number) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** A subscription about to be acknowledged. */
export interface Opened {
  readonly subscription: Subscription
  readonly replaced: boolean
  /** Whether its current value follows the reply. */
  readonly snapshot: boolean
}

export type Target = Extract<Command, { action: 'unsubscribe' }>['target']

/** The subscriptions of one connection. */
export class Holdings {
  readonly #options: HoldingsOptions
  readonly #connection: Connection
  /** By id, in the order they were made. */
  readonly #all = new Map<string, Subscription>()
  readonly #byMetric = new Map<Metric, Subscription>()
  /** Those whose first answer is awaited before they are acknowledged. */
  readonly #opening = new Map<Metric, Promise<Opened | Fault>>()
  /** Those without a value, and when their client is told so. */
  readonly #warming = new Map<Subscription, Instant>()
  #lastId = 0

  constructor(connection: Connection, options: HoldingsOptions) {
    this.#connection = connection
    this.#options = options
  }

  get size(): number {
    return this.#all.size
  }

  /** Whether anything was ever subscribed to. */
  get isUsed(): boolean {
    return this.#lastId > 0
  }

  all(): readonly Subscription[] {
    return [...this.#all.values()]
  }

  listensTo(symbol: string): boolean {
    for (const { question } of this.#all.values()) if (question.symbol === symbol) return true
    return false
  }

  /** Opens a subscription, or changes the settings of the one there is to the same metric. */
  subscribe(wish: Wish): Soon<Opened | Fault> {
    const { hub, catalog } = this.#options
    const resolved = resolveMetric(catalog, wish.metric)
    if (resolved instanceof Fault) return resolved
    const { leastCadence, valueType } = resolved.field
    if (wish.cadence < leastCadence) {
      return new Fault('invalid_cadence', `cadence_ms of an ${valueType} is at least ${leastCadence}`)
    }
    const question = questionOf(resolved.operation, wish.symbol, wish.params)
    if (question instanceof Fault) return question
    const metric = hub.listened(resolved, question)
    const known = metric && this.#byMetric.get(metric)
    if (known === undefined) return this.#open(resolved, question, wish)
    const again = (first: Opened | Fault) => (first instanceof Fault ? first : this.#replace(known, wish))
    return this.#opening.get(metric!)?.then(again) ?? this.#replace(known, wish)
  }

  /** Opens several; what fails in one is its own. */
  subscribeAll(wishes: readonly (Wish | Fault)[]): Soon<readonly (Opened | Fault)[]> {
    const failed = (error: unknown) => {
      this.#options.onError(error)
      return new Fault('internal', 'the item could not be carried out')
    }
    const results = wishes.map((wish) => {
      if (wish instanceof Fault) return wish
      try {
        const opened = this.subscribe(wish)
        return opened instanceof Promise ? opened.catch(failed) : opened
      } catch (error) {
        return failed(error)
      }
    })
    const isLate = results.some((result) => result instanceof Promise)
    return isLate ? Promise.all(results) : (results as (Opened | Fault)[])
  }

  /** Opens what a lost connection had, in the places it had. */
  restore({ kept, lastId }: LostSet): readonly Opened[] {
    this.#lastId = lastId
    return kept.map((one) => {
      const subscription = this.#listen(one)
      this.#hold(subscription)
      return { subscription, replaced: false, snapshot: true }
    })
  }

  unsubscribe(target: Target): readonly Subscription[] | Fault {
    const chosen = target === 'all' ? this.all() : this.#chosen(target)
    if (chosen instanceof Fault) return chosen
    for (const subscription of chosen) {
      this.#all.delete(subscription.id)
      this.#leave(subscription)
      this.#options.allowance.free(subscription.cost)
    }
    return chosen
  }

  /** Subscriptions that have waited too long for a value; each is named once. */
  *overdue(now: Instant): Generator<Subscription> {
    for (const [subscription, deadline] of this.#warming) {
      const hasValue = subscription.metric.value !== undefined
      if (!hasValue && now < deadline) continue
      this.#warming.delete(subscription)
      if (!hasValue) yield subscription
    }
  }

  /** Stops listening. What is returned may be kept for the client to come back to: its places are still taken. */
  end(): { readonly kept: readonly Kept[]; readonly cost: number; readonly lastId: number } {
    const all = this.all()
    for (const subscription of all) this.#leave(subscription)
    this.#all.clear()
    const cost = all.reduce((sum, subscription) => sum + subscription.cost, 0)
    return { kept: all.map((subscription) => subscription.kept()), cost, lastId: this.#lastId }
  }

  #open(resolved: Resolved, question: Question, wish: Wish): Soon<Opened | Fault> {
    const { hub, allowance, wallNow, pause } = this.#options
    const fault = hub.faultOf(question)
    if (fault !== undefined) return fault
    const cost = resolved.field.cost
    if (!allowance.take(cost)) {
      const { limit, used } = allowance
      return new Fault('subscription_limit', `all ${limit} subscriptions of the bundle are used`, { limit, used })
    }
    const { cadence, onChange, echo } = wish
    const id = `s_${(++this.#lastId).toString(36).padStart(2, '0')}`
    const subscription = this.#listen({ id, resolved, question, createdAt: wallNow(), cadence, onChange, echo })
    const { metric } = subscription
    const settle = (): Opened | Fault => {
      this.#opening.delete(metric)
      const unfit = this.#unfit(subscription)
      if (unfit === undefined) {
        this.#hold(subscription)
        return { subscription, replaced: false, snapshot: wish.snapshot }
      }
      this.#leave(subscription)
      allowance.free(cost)
      return unfit
    }
    const answered = hub.firstAnswer(metric.feed)
    if (answered === undefined) return settle()
    const opening = Promise.race([answered, pause(ACK_PATIENCE)]).then(settle)
    this.#opening.set(metric, opening)
    return opening
  }

  #listen(kept: Kept): Subscription {
    const { resolved, question, cadence } = kept
    const subscription = new Subscription(this.#connection, kept, (listener) =>
      this.#options.hub.listen(resolved, question, cadence, listener)
    )
    this.#byMetric.set(subscription.metric, subscription)
    return subscription
  }

  #hold(subscription: Subscription): void {
    this.#all.set(subscription.id, subscription)
    if (subscription.metric.value === undefined) this.#warming.set(subscription, this.#options.wallNow() + WARMING)
  }

  /** What its first answer, or the want of one, says against a subscription. */
  #unfit({ metric, question }: Subscription): Fault | undefined {
    if (this.#connection.closed !== undefined) return new Fault('internal', 'the connection has ended')
    const { feed } = metric
    if (feed.body === undefined && feed.failure !== undefined && this.#options.hub.isUnknown(feed)) {
      return new Fault('symbol_not_found', `nothing is known of ${question.symbol}`)
    }
    if (metric.value === undefined || metric.listed) return undefined
    return new Fault('invalid_selector', 'the answer has no row of that key')
  }

  #replace(subscription: Subscription, wish: Wish): Opened {
    const { cadence, metric, due } = subscription
    this.#connection.withdraw(subscription)
    subscription.configure(wish)
    this.#options.hub.recadence(metric, cadence, wish.cadence)
    // A value that waited for the end of the old window waits for that of the new one.
    if (due && !wish.snapshot) subscription.offer()
    return { subscription, replaced: true, snapshot: wish.snapshot }
  }

  #leave(subscription: Subscription): void {
    subscription.open = false
    this.#warming.delete(subscription)
    this.#byMetric.delete(subscription.metric)
    this.#options.hub.leave(subscription.metric, subscription.cadence, subscription)
  }

  #chosen(target: Exclude<Target, 'all'>): Subscription[] | Fault {
    if ('subId' in target) return found(this.#all.get(target.subId))
    const { catalog, hub } = this.#options
    const resolved = resolveMetric(catalog, target.metric)
    if (resolved instanceof Fault) return resolved
    const question = questionOf(resolved.operation, target.symbol, target.params)
    if (question instanceof Fault) return question
    const metric = hub.listened(resolved, question)
    return found(metric && this.#byMetric.get(metric))
  }
}

function found(subscription: Subscription | undefined): Subscription[] | Fault {
  return subscription === undefined
    ? new Fault('unknown_subscription', 'this connection has no such subscription')
    : [subscription]
}
