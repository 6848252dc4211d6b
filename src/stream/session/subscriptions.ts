import type { MaybePromise } from '../../api/maybe-promise.ts'
import type { Instant } from '../../market/units.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { type ResolvedMetric, resolveMetric } from '../catalog/metric-id.ts'
import { queryOf, type StreamQuery } from '../catalog/query.ts'
import type { Hub } from '../delivery/hub.ts'
import type { Metric } from '../delivery/metric.ts'
import { firstAnswerError } from '../delivery/metric.ts'
import type { SessionConnection } from '../delivery/session-connection.ts'
import { type SavedSubscription, StreamSubscription } from '../delivery/stream-subscription.ts'
import { CommandError } from '../protocol/command-error.ts'
import { ACK_TIMEOUT, EXPIRATION_SETS_PER_CONNECTION, NO_DATA_AFTER } from '../protocol/limits.ts'
import type { BundleUsage, SavedSet } from './bundle-usage.ts'
import type { SessionCommand, SubscribeRequest } from './session-command.ts'

export interface SubscriptionsOptions {
  readonly hub: Hub
  readonly catalog: Catalog
  readonly usage: BundleUsage
  readonly wallNow: () => Instant
  readonly steadyNow: () => number
  readonly pause: (milliseconds: number) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** A subscription that the next reply acknowledges. */
export interface OpenedSubscription {
  readonly subscription: StreamSubscription
  /** Whether the subscription was already open and only got new settings. */
  readonly replaced: boolean
  /** Whether the current value is sent after the reply. */
  readonly sendNow: boolean
}

/** Selects the subscriptions that an unsubscribe command ends. */
export type RemovalTarget = Extract<SessionCommand, { action: 'unsubscribe' }>['target']

/**
 * Shared empty map for connections without subscriptions, because their own four empty maps would take 700 bytes each.
 * Nothing may be added to it.
 */
const none = new Map<never, never>()

export class Subscriptions {
  readonly #options: SubscriptionsOptions
  readonly #connection: SessionConnection
  /** Open subscriptions by id, in the order of opening. */
  #all: Map<string, StreamSubscription> = none
  #byMetric: Map<Metric, StreamSubscription> = none
  /** New subscriptions that wait for a first response before they are acknowledged. */
  #opening: Map<Metric, Promise<OpenedSubscription | CommandError>> = none
  /** Subscriptions without a value, with the time of the steady clock at which they get the error no_data. */
  #warming: Map<StreamSubscription, number> = none
  #lastId = 0

  constructor(connection: SessionConnection, options: SubscriptionsOptions) {
    this.#connection = connection
    this.#options = options
  }

  get size(): number {
    return this.#all.size
  }

  get isUsed(): boolean {
    return this.#lastId > 0
  }

  all(): readonly StreamSubscription[] {
    return [...this.#all.values()]
  }

  includes(symbol: string): boolean {
    for (const { query } of this.#all.values()) if (query.symbol === symbol) return true
    return false
  }

  /**
   * Opens a subscription. If the metric is already subscribed to, changes the settings of that subscription instead.
   */
  subscribe(request: SubscribeRequest): MaybePromise<OpenedSubscription | CommandError> {
    const { hub, catalog } = this.#options
    const resolved = resolveMetric(catalog, request.metric)
    if (resolved instanceof CommandError) return resolved
    const { minCadence, valueType } = resolved.field
    if (request.cadence < minCadence) {
      return new CommandError('invalid_cadence', `cadence_ms of an ${valueType} is at least ${minCadence}`)
    }
    const query = queryOf(resolved.operation, request.symbol, request.params)
    if (query instanceof CommandError) return query
    const metric = hub.find(resolved, query)
    const known = metric && this.#byMetric.get(metric)
    if (known === undefined) return this.#open(resolved, query, request)
    const again = (first: OpenedSubscription | CommandError) =>
      first instanceof CommandError ? first : this.#replace(known, request)
    return this.#opening.get(metric!)?.then(again) ?? this.#replace(known, request)
  }

  /** Opens several subscriptions. If one fails, the others still open. */
  subscribeAll(
    requests: readonly (SubscribeRequest | CommandError)[]
  ): MaybePromise<readonly (OpenedSubscription | CommandError)[]> {
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
    return isLate ? Promise.all(results) : (results as (OpenedSubscription | CommandError)[])
  }

  /** How many subscriptions of the bundle requests may take. */
  costOf(requests: readonly (SubscribeRequest | CommandError)[]): number {
    let cost = 0
    for (const request of requests) {
      if (request instanceof CommandError) continue
      const resolved = resolveMetric(this.#options.catalog, request.metric)
      if (!(resolved instanceof CommandError)) cost += resolved.field.cost
    }
    return cost
  }

  /** Opens the subscriptions of a saved set, which already count as used. */
  restore({ saved, lastId }: SavedSet): readonly OpenedSubscription[] {
    this.#lastId = lastId
    return saved.map((one) => {
      const subscription = this.#listen(one)
      this.#add(subscription)
      return { subscription, replaced: false, sendNow: true }
    })
  }

  unsubscribe(target: RemovalTarget): readonly StreamSubscription[] | CommandError {
    const chosen = target === 'all' ? this.all() : this.#chosen(target)
    if (chosen instanceof CommandError) return chosen
    for (const subscription of chosen) {
      this.#all.delete(subscription.id)
      this.#stopListening(subscription)
      this.#options.usage.free(subscription.cost)
    }
    return chosen
  }

  /** Returns the subscriptions that have waited too long for a value, each only once. */
  *overdue(now: number): Generator<StreamSubscription> {
    for (const [subscription, deadline] of this.#warming) {
      const hasValue = subscription.metric.value !== undefined
      if (!hasValue && now < deadline) continue
      this.#warming.delete(subscription)
      if (!hasValue) yield subscription
    }
  }

  /** All subscriptions as they are now. */
  saved(): Omit<SavedSet, 'token' | 'expiresAt'> {
    const all = this.all()
    const cost = all.reduce((sum, subscription) => sum + subscription.cost, 0)
    return { saved: all.map((subscription) => subscription.save()), cost, lastId: this.#lastId }
  }

  /** Ends all subscriptions and returns them for saving. They still count as used. */
  end(): Omit<SavedSet, 'token' | 'expiresAt'> {
    const ended = this.saved()
    for (const subscription of this.all()) this.#stopListening(subscription)
    this.#all.clear()
    return ended
  }

  #open(
    resolved: ResolvedMetric,
    query: StreamQuery,
    request: SubscribeRequest
  ): MaybePromise<OpenedSubscription | CommandError> {
    const { hub, usage, wallNow, pause } = this.#options
    const paramsError = hub.paramsError(query)
    if (paramsError !== undefined) return paramsError
    if (this.#hasTooManySets(query)) {
      return new CommandError(
        'subscription_limit',
        `the subscriptions of a connection name at most ${EXPIRATION_SETS_PER_CONNECTION} different sets of expirations`,
        { limit: EXPIRATION_SETS_PER_CONNECTION, used: EXPIRATION_SETS_PER_CONNECTION }
      )
    }
    const cost = resolved.field.cost
    if (!usage.take(cost)) {
      const { limit, overall } = usage
      const used = overall.places
      if (usage.isUnknown) {
        return new CommandError('internal', 'how much of the bundle is free cannot be found out now; try again shortly')
      }
      return new CommandError('subscription_limit', `all ${limit} subscriptions of the bundle are used`, {
        limit,
        used
      })
    }
    const { cadence, onChange, echo } = request
    const id = `s_${(++this.#lastId).toString(36).padStart(2, '0')}`
    const subscription = this.#listen({ id, resolved, query, createdAt: wallNow(), cadence, onChange, echo })
    const { metric } = subscription
    const settle = (): OpenedSubscription | CommandError => {
      this.#opening.delete(metric)
      const error = this.#errorOf(subscription)
      if (error === undefined) {
        this.#add(subscription)
        return { subscription, replaced: false, sendNow: request.sendNow }
      }
      this.#stopListening(subscription)
      usage.free(cost)
      return error
    }
    const answered = hub.firstAnswer(metric.feed)
    if (answered === undefined) return settle()
    const opening = Promise.race([answered, pause(ACK_TIMEOUT)]).then(settle)
    this.#opening.set(metric, opening)
    return opening
  }

  #hasTooManySets({ expirationSet: wanted }: StreamQuery): boolean {
    if (wanted === '') return false
    const sets = new Set([wanted])
    for (const { query } of this.#byMetric.values()) if (query.expirationSet !== '') sets.add(query.expirationSet)
    return sets.size > EXPIRATION_SETS_PER_CONNECTION
  }

  #listen(saved: SavedSubscription): StreamSubscription {
    if (this.#byMetric === none) {
      this.#all = new Map()
      this.#byMetric = new Map()
      this.#opening = new Map()
      this.#warming = new Map()
    }
    const { resolved, query, cadence } = saved
    const subscription = new StreamSubscription(this.#connection, saved, (listener) =>
      this.#options.hub.listen(resolved, query, cadence, listener)
    )
    this.#byMetric.set(subscription.metric, subscription)
    return subscription
  }

  #add(subscription: StreamSubscription): void {
    this.#all.set(subscription.id, subscription)
    if (subscription.metric.value === undefined)
      this.#warming.set(subscription, this.#options.steadyNow() + NO_DATA_AFTER)
  }

  /** Error of a new subscription that shows only after its first request. */
  #errorOf({ metric }: StreamSubscription): CommandError | undefined {
    if (this.#connection.closed !== undefined) return new CommandError('internal', 'the connection has ended')
    return firstAnswerError(this.#options.hub, metric)
  }

  #replace(subscription: StreamSubscription, request: SubscribeRequest): OpenedSubscription {
    const { cadence, metric, queued } = subscription
    this.#connection.dequeue(subscription)
    subscription.configure(request)
    this.#options.hub.changeCadence(metric, cadence, request.cadence)
    // A value that waited for the end of the old cadence window now waits for that of the new one.
    if (queued && !request.sendNow) subscription.valueChanged()
    return { subscription, replaced: true, sendNow: request.sendNow }
  }

  #stopListening(subscription: StreamSubscription): void {
    subscription.open = false
    this.#warming.delete(subscription)
    this.#byMetric.delete(subscription.metric)
    this.#options.hub.removeListener(subscription.metric, subscription.cadence, subscription)
  }

  #chosen(target: Exclude<RemovalTarget, 'all'>): StreamSubscription[] | CommandError {
    if ('subId' in target) return found(this.#all.get(target.subId))
    const { catalog, hub } = this.#options
    const resolved = resolveMetric(catalog, target.metric)
    if (resolved instanceof CommandError) return resolved
    const query = queryOf(resolved.operation, target.symbol, target.params)
    if (query instanceof CommandError) return query
    const metric = hub.find(resolved, query)
    return found(metric && this.#byMetric.get(metric))
  }
}

function found(subscription: StreamSubscription | undefined): StreamSubscription[] | CommandError {
  return subscription === undefined
    ? new CommandError('unknown_subscription', 'this connection has no such subscription')
    : [subscription]
}
