import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Instant } from '../../market/units.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { CommandError } from '../catalog/command-error.ts'
import { ACK_PATIENCE, WARMING } from '../catalog/limits.ts'
import { queryOf, type StreamQuery } from '../catalog/query.ts'
import { type Resolved, resolveMetric } from '../catalog/resolve.ts'
import type { Connection } from '../delivery/connection.ts'
import type { Hub } from '../delivery/hub.ts'
import type { Metric } from '../delivery/metric.ts'
import { type SavedSubscription, Subscription } from '../delivery/subscription.ts'
import type { BundleUsage, LostSet } from './bundle-usage.ts'
import type { Command, SubscribeRequest } from './command.ts'

export interface SubscriptionsOptions {
  readonly hub: Hub
  readonly catalog: Catalog
  readonly usage: BundleUsage
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
export class Subscriptions {
  readonly #options: SubscriptionsOptions
  readonly #connection: Connection
  /** By id, in the order they were made. */
  readonly #all = new Map<string, Subscription>()
  readonly #byMetric = new Map<Metric, Subscription>()
  /** Those whose first answer is awaited before they are acknowledged. */
  readonly #opening = new Map<Metric, Promise<Opened | CommandError>>()
  /** Those without a value, and when their client is told so. */
  readonly #warming = new Map<Subscription, Instant>()
  #lastId = 0

  constructor(connection: Connection, options: SubscriptionsOptions) {
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
    for (const { query } of this.#all.values()) if (query.symbol === symbol) return true
    return false
  }

  /** Opens a subscription, or changes the settings of the one there is to the same metric. */
  subscribe(request: SubscribeRequest): MaybePromise<Opened | CommandError> {
    const { hub, catalog } = this.#options
    const resolved = resolveMetric(catalog, request.metric)
    if (resolved instanceof CommandError) return resolved
    const { leastCadence, valueType } = resolved.field
    if (request.cadence < leastCadence) {
      return new CommandError('invalid_cadence', `cadence_ms of an ${valueType} is at least ${leastCadence}`)
    }
    const query = queryOf(resolved.operation, request.symbol, request.params)
    if (query instanceof CommandError) return query
    const metric = hub.listened(resolved, query)
    const known = metric && this.#byMetric.get(metric)
    if (known === undefined) return this.#open(resolved, query, request)
    const again = (first: Opened | CommandError) =>
      first instanceof CommandError ? first : this.#replace(known, request)
    return this.#opening.get(metric!)?.then(again) ?? this.#replace(known, request)
  }

  /** Opens several; what fails in one is its own. */
  subscribeAll(
    requests: readonly (SubscribeRequest | CommandError)[]
  ): MaybePromise<readonly (Opened | CommandError)[]> {
    const failed = (error: unknown) => {
      this.#options.onError(error)
      return new CommandError('internal', 'the item could not be carried out')
    }
    const results = requests.map((request) => {
      if (request instanceof CommandError) return request
      try {
        const opened = this.subscribe(request)
        return opened instanceof Promise ? opened.catch(failed) : opened
      } catch (error) {
        return failed(error)
      }
    })
    const isLate = results.some((result) => result instanceof Promise)
    return isLate ? Promise.all(results) : (results as (Opened | CommandError)[])
  }

  /** Opens what a lost connection had, in the places it had. */
  restore({ saved, lastId }: LostSet): readonly Opened[] {
    this.#lastId = lastId
    return saved.map((one) => {
      const subscription = this.#listen(one)
      this.#hold(subscription)
      return { subscription, replaced: false, snapshot: true }
    })
  }

  unsubscribe(target: Target): readonly Subscription[] | CommandError {
    const chosen = target === 'all' ? this.all() : this.#chosen(target)
    if (chosen instanceof CommandError) return chosen
    for (const subscription of chosen) {
      this.#all.delete(subscription.id)
      this.#leave(subscription)
      this.#options.usage.free(subscription.cost)
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

  /** Stops listening. What is returned may be saved for the client to come back to: its places are still taken. */
  end(): { readonly saved: readonly SavedSubscription[]; readonly cost: number; readonly lastId: number } {
    const all = this.all()
    for (const subscription of all) this.#leave(subscription)
    this.#all.clear()
    const cost = all.reduce((sum, subscription) => sum + subscription.cost, 0)
    return { saved: all.map((subscription) => subscription.save()), cost, lastId: this.#lastId }
  }

  #open(resolved: Resolved, query: StreamQuery, request: SubscribeRequest): MaybePromise<Opened | CommandError> {
    const { hub, usage, wallNow, pause } = this.#options
    const fault = hub.faultOf(query)
    if (fault !== undefined) return fault
    const cost = resolved.field.cost
    if (!usage.take(cost)) {
      const { limit, used } = usage
      return new CommandError('subscription_limit', `all ${limit} subscriptions of the bundle are used`, {
        limit,
        used
      })
    }
    const { cadence, onChange, echo } = request
    const id = `s_${(++this.#lastId).toString(36).padStart(2, '0')}`
    const subscription = this.#listen({ id, resolved, query, createdAt: wallNow(), cadence, onChange, echo })
    const { metric } = subscription
    const settle = (): Opened | CommandError => {
      this.#opening.delete(metric)
      const unfit = this.#unfit(subscription)
      if (unfit === undefined) {
        this.#hold(subscription)
        return { subscription, replaced: false, snapshot: request.snapshot }
      }
      this.#leave(subscription)
      usage.free(cost)
      return unfit
    }
    const answered = hub.firstAnswer(metric.feed)
    if (answered === undefined) return settle()
    const opening = Promise.race([answered, pause(ACK_PATIENCE)]).then(settle)
    this.#opening.set(metric, opening)
    return opening
  }

  #listen(saved: SavedSubscription): Subscription {
    const { resolved, query, cadence } = saved
    const subscription = new Subscription(this.#connection, saved, (listener) =>
      this.#options.hub.listen(resolved, query, cadence, listener)
    )
    this.#byMetric.set(subscription.metric, subscription)
    return subscription
  }

  #hold(subscription: Subscription): void {
    this.#all.set(subscription.id, subscription)
    if (subscription.metric.value === undefined) this.#warming.set(subscription, this.#options.wallNow() + WARMING)
  }

  /** What its first answer, or the want of one, says against a subscription. */
  #unfit({ metric, query }: Subscription): CommandError | undefined {
    if (this.#connection.closed !== undefined) return new CommandError('internal', 'the connection has ended')
    const { feed } = metric
    if (feed.body === undefined && feed.failure !== undefined && this.#options.hub.isUnknown(feed)) {
      return new CommandError('symbol_not_found', `nothing is known of ${query.symbol}`)
    }
    if (metric.value === undefined || metric.listed) return undefined
    return new CommandError('invalid_selector', 'the answer has no row of that key')
  }

  #replace(subscription: Subscription, request: SubscribeRequest): Opened {
    const { cadence, metric, due } = subscription
    this.#connection.withdraw(subscription)
    subscription.configure(request)
    this.#options.hub.recadence(metric, cadence, request.cadence)
    // A value that waited for the end of the old window waits for that of the new one.
    if (due && !request.snapshot) subscription.offer()
    return { subscription, replaced: true, snapshot: request.snapshot }
  }

  #leave(subscription: Subscription): void {
    subscription.open = false
    this.#warming.delete(subscription)
    this.#byMetric.delete(subscription.metric)
    this.#options.hub.leave(subscription.metric, subscription.cadence, subscription)
  }

  #chosen(target: Exclude<Target, 'all'>): Subscription[] | CommandError {
    if ('subId' in target) return found(this.#all.get(target.subId))
    const { catalog, hub } = this.#options
    const resolved = resolveMetric(catalog, target.metric)
    if (resolved instanceof CommandError) return resolved
    const query = queryOf(resolved.operation, target.symbol, target.params)
    if (query instanceof CommandError) return query
    const metric = hub.listened(resolved, query)
    return found(metric && this.#byMetric.get(metric))
  }
}

function found(subscription: Subscription | undefined): Subscription[] | CommandError {
  return subscription === undefined
    ? new CommandError('unknown_subscription', 'this connection has no such subscription')
    : [subscription]
}
