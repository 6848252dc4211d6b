import { randomUUID } from 'node:crypto'
import type { Firing, Firings } from '../accounts/alerts/firings.ts'
import type { AlertRule, MetricName } from '../accounts/alerts/rule.ts'
import type { AlertRules } from '../accounts/alerts/rules.ts'
import type { Webhook, Webhooks } from '../accounts/alerts/webhooks.ts'
import { audit } from '../accounts/audit.ts'
import { ChangeWatch } from '../accounts/changes.ts'
import type { Database } from '../accounts/database.ts'
import { type ApiError, apiError } from '../api/error.ts'
import { easternDate } from '../market/eastern.ts'
import { type Instant, MILLISECONDS_PER_DAY } from '../market/units.ts'
import type { Catalog } from '../stream/catalog/catalog.ts'
import { firstAnswerError } from '../stream/delivery/first-answer.ts'
import type { Hub } from '../stream/delivery/hub.ts'
import type { TimerQueue } from '../stream/delivery/timer-queue.ts'
import { ACK_TIMEOUT } from '../stream/protocol/limits.ts'
import { Deliveries, type DeliveriesOptions } from './deliveries.ts'
import { freshMemory } from './evaluate.ts'
import { Evaluator, paused } from './evaluator.ts'
import { type Figure, figureOf, refusalOf } from './figure.ts'
import { Watch, type WatchedFigures } from './watch.ts'
import { testMessage } from './webhook/payload.ts'
import type { Posted } from './webhook/post.ts'
import { newSecret, signedHeaders } from './webhook/signature.ts'
import { readWebhookUrl } from './webhook/target.ts'

/** What an owner may have: how many rules, how often their values are renewed, and which figures. */
export interface AlertTerms {
  readonly limit: number
  /** Milliseconds, as of a subscription. */
  readonly cadence: number
  readonly planName: string
  refusalOf(figure: Figure): ApiError | undefined
}

export interface AlertsOptions extends Pick<DeliveriesOptions, 'post' | 'random' | 'onAttempt' | 'onError'> {
  readonly rules: AlertRules
  readonly firings: Firings
  readonly webhooks: Webhooks
  readonly database: Database
  readonly hub: Hub
  readonly catalog: Catalog
  readonly timers: TimerQueue
  readonly wallNow: () => Instant
  readonly marketNow: () => Instant
  readonly source: () => string
  /** Undefined: there is no such user any more. */
  readonly termsOf: (userId: string) => AlertTerms | undefined
  /** Whether webhooks may lead into the own network. */
  readonly allowPrivate: boolean
  readonly onFired: () => void
}

/** Who acts on rules of their own. */
export interface Owner {
  readonly userId: string
  readonly email: string
}

/** What of a rule its owner chooses when it is made. */
export type NewRule = Pick<AlertRule, 'symbol' | 'metric' | 'params' | 'condition' | 'value' | 'repeat' | 'note'> & {
  readonly webhookUrl: string | undefined
}

/** What of a rule its owner changes; what is absent stays. */
export type RuleChange = Partial<Pick<AlertRule, 'condition' | 'value' | 'repeat' | 'note'>> & {
  readonly state?: 'armed' | 'paused'
  /** Undefined where it is named: no webhook any more. */
  readonly webhookUrl?: string | undefined
}

/** A rule as its owner sees it. */
export interface OwnRule {
  readonly rule: AlertRule
  readonly url: string | undefined
  /** What messages to the webhook are signed with, where it was made just now. */
  readonly secret: string | undefined
}

/** Rules of all users together: each listens to metrics of the stream. */
export const MAX_ARMED = 5000
/** Milliseconds between two looks at what changed beside the service, and between two writes of values and terms. */
const LOOK_EVERY = 5000
const SAVE_EVERY = 60_000
/** Days that what fired is kept. */
const KEEP_DAYS = 30

/** The alerts of the service: what their owners do with them, and what the evaluator and the deliveries do by themselves. */
export class Alerts {
  readonly #options: AlertsOptions
  readonly #evaluator: Evaluator
  readonly #deliveries: Deliveries
  readonly #changes: ChangeWatch
  #savedAt = 0
  #stopped = false

  constructor(options: AlertsOptions) {
    this.#options = options
    this.#deliveries = new Deliveries(options)
    this.#changes = new ChangeWatch(options.database, options.wallNow)
    const onFired = () => {
      options.onFired()
      this.#deliveries.wake()
    }
    this.#evaluator = new Evaluator({ ...options, onFired, refusalOf: (rule) => this.#lostBy(rule) })
  }

  /** Follows the armed rules and goes on sending what was not taken before the last end. */
  start(): void {
    this.#savedAt = this.#options.wallNow()
    this.#tick()
    this.#deliveries.wake()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#guarded(() => this.#save())
    this.#evaluator.stop()
    await this.#deliveries.stop()
  }

  list({ userId }: Owner): OwnRule[] {
    const webhooks = this.#options.webhooks.ofUser(userId)
    return this.#options.rules.ofUser(userId).map((stored) => {
      const rule = this.#evaluator.find(stored.id)?.rule ?? stored
      return { rule, url: rule.webhookId && webhooks.get(rule.webhookId)?.url, secret: undefined }
    })
  }

  /** Throws alert_not_found where the owner has no such rule. */
  get(owner: Owner, id: string): OwnRule {
    const found = this.list(owner).find(({ rule }) => rule.id === id)
    if (found === undefined) throw apiError('alert_not_found')
    return found
  }

  events({ userId }: Owner, page: { alertId?: string; limit: number; offset: number }): Firing[] {
    return this.#options.firings.page(userId, page)
  }

  /** Makes a rule and arms it. Waits as an acknowledgement of the stream does for a symbol that has to be loaded first. */
  async create(owner: Owner, { webhookUrl, ...wanted }: NewRule): Promise<OwnRule> {
    const { rules, database, wallNow } = this.#options
    this.#requireRoom(owner, rules.ofUser(owner.userId).length)
    const { rule, figures } = this.#named(owner, {
      ...wanted,
      id: randomUUID(),
      userId: owner.userId,
      webhookId: undefined,
      state: 'armed',
      pausedBecause: undefined,
      createdAt: wallNow(),
      memory: freshMemory(undefined),
      lastValue: undefined,
      lastValueAt: undefined,
      lastFiredAt: undefined,
      firedCount: 0
    })
    const url = this.#readUrl(webhookUrl)
    const value = await this.#firstValue(rule, figures)
    const made = database.durably(() => {
      this.#requireRoom(owner, rules.ofUser(owner.userId).length)
      const { webhook, secret } = this.#webhookAt(owner, url)
      const ready = { ...rule, webhookId: webhook?.id, memory: freshMemory(value) }
      rules.add(ready)
      this.#audit(owner, 'alert.create', ready, url)
      return { rule: ready, url, secret }
    })
    this.#follow(made.rule, figures)
    return made
  }

  /** Changes a rule. One whose condition or value is changed, or that is armed anew, begins as a new one does. */
  async change(owner: Owner, id: string, wanted: RuleChange): Promise<OwnRule> {
    const { rules, database, webhooks } = this.#options
    const { state, webhookUrl, ...change } = wanted
    const before = this.get(owner, id)
    const { rule, figures } = this.#named(owner, { ...before.rule, ...change })
    const url = 'webhookUrl' in wanted ? this.#readUrl(webhookUrl) : before.url
    const isArmed = (state ?? rule.state) === 'armed'
    const begins = isArmed && (before.rule.state !== 'armed' || 'condition' in change || 'value' in change)
    const armed = rules.ofUser(owner.userId).filter((each) => each.state === 'armed' && each.id !== id).length
    if (begins) this.#requireRoom(owner, armed)
    const value = begins ? await this.#firstValue(rule, figures) : undefined
    const changed = database.durably(() => {
      const { firedCount, lastFiredAt } = this.get(owner, id).rule // it may have fired meanwhile
      const { webhook, secret } = this.#webhookAt(owner, url)
      const next: AlertRule = {
        ...rule,
        firedCount,
        lastFiredAt,
        state: state ?? rule.state,
        webhookId: webhook?.id,
        ...(state !== undefined && { pausedBecause: undefined }),
        ...(begins && { memory: freshMemory(value) })
      }
      rules.update(next)
      webhooks.removeUnused(owner.userId)
      this.#audit(owner, 'alert.change', next, url)
      return { rule: next, url, secret }
    })
    if (isArmed) this.#follow(changed.rule, figures)
    else this.#evaluator.drop(id)
    return changed
  }

  remove(owner: Owner, id: string): OwnRule {
    const { rules, database, webhooks } = this.#options
    const removed = this.get(owner, id)
    database.durably(() => {
      rules.remove(id)
      webhooks.removeUnused(owner.userId)
      this.#audit(owner, 'alert.remove', removed.rule, removed.url)
    })
    this.#evaluator.drop(id)
    return removed
  }

  /** Puts another secret in the place of that of the webhook of a rule. Returns it. */
  rotate(owner: Owner, id: string): string {
    const { database, webhooks } = this.#options
    const { rule, url } = this.get(owner, id)
    const webhook = this.#webhookOf(rule)
    const secret = newSecret()
    database.durably(() => {
      webhooks.rotate(webhook, secret)
      this.#audit(owner, 'webhook.rotate', rule, url)
    })
    return secret
  }

  /** Sends a test to the webhook of a rule, and says what came back. */
  test(owner: Owner, id: string): Promise<Posted> {
    const { wallNow, post } = this.#options
    const { rule } = this.get(owner, id)
    const webhook = this.#webhookOf(rule)
    const body = JSON.stringify(testMessage(rule, wallNow()))
    const headers = signedHeaders(randomUUID(), wallNow(), body, webhook.secrets)
    return post({ url: webhook.url, headers, body }, new AbortController().signal)
  }

  #webhookOf({ webhookId }: AlertRule): Webhook {
    const webhook = webhookId === undefined ? undefined : this.#options.webhooks.find(webhookId)
    if (webhook === undefined) throw apiError('invalid_webhook', 'the alert has no webhook', { parameter: 'webhook' })
    return webhook
  }

  #readUrl(text: string | undefined): string | undefined {
    return text === undefined ? undefined : readWebhookUrl(text, this.#options.allowPrivate).href
  }

  /** The webhook of a user at an address: all rules of the user share it, and its secret is told where it is new. */
  #webhookAt({ userId }: Owner, url: string | undefined): { webhook?: Webhook; secret: string | undefined } {
    if (url === undefined) return { secret: undefined }
    const { webhooks } = this.#options
    const known = [...webhooks.ofUser(userId).values()].find((each) => each.url === url)
    if (known !== undefined) return { webhook: known, secret: undefined }
    const secret = newSecret()
    return { webhook: webhooks.add(userId, url, secret), secret }
  }

  #requireRoom({ userId }: Owner, used: number): void {
    const { termsOf, rules } = this.#options
    const { limit, planName } = termsOf(userId) ?? { limit: 0, planName: '' }
    if (used >= limit) {
      throw apiError('alert_limit', `the ${planName} plan has room for ${limit} alerts: remove one first`, { limit })
    }
    if ((rules.counts().get('armed') ?? 0) >= MAX_ARMED) {
      throw apiError('overloaded', 'the service watches as many alerts as it can; try again later')
    }
  }

  /** A rule with the canonical names of its metrics. Throws the refusal of what its owner may not have, or is not there. */
  #named(owner: Owner, wanted: AlertRule): { readonly rule: AlertRule; readonly figures: WatchedFigures } {
    const figures = this.#figuresOf(wanted)
    const refusal = this.#refusalOf(owner.userId, figures)
    if (refusal !== undefined) throw refusal
    const { figure, other } = figures
    const value = other === undefined ? wanted.value : nameOf(other)
    if (wanted.condition === 'changes_by' && (typeof value !== 'number' || value <= 0)) {
      throw apiError('invalid_body', 'changes_by needs a number above 0 as its value', { parameter: 'value' })
    }
    if (other !== undefined && other.query.key === figure.query.key && other.resolved.id === figure.resolved.id) {
      throw apiError('invalid_body', 'a metric cannot be compared with itself', { parameter: 'value' })
    }
    return { rule: { ...wanted, symbol: figure.query.symbol, ...nameOf(figure), value }, figures }
  }

  #figuresOf(rule: Pick<AlertRule, 'symbol' | 'metric' | 'params' | 'value'>): WatchedFigures {
    const { catalog, marketNow } = this.#options
    const today = easternDate(marketNow())
    const of = (name: MetricName) => figureOf(catalog, rule.symbol, name, today)
    return { figure: of(rule), other: typeof rule.value === 'number' ? undefined : of(rule.value) }
  }

  #refusalOf(userId: string, { figure, other }: WatchedFigures): ApiError | undefined {
    const terms = this.#options.termsOf(userId)
    if (terms === undefined) return apiError('user_not_found')
    return terms.refusalOf(figure) ?? (other && terms.refusalOf(other))
  }

  /** Why a rule cannot go on; undefined where it can. */
  #lostBy(rule: AlertRule): string | undefined {
    try {
      return this.#refusalOf(rule.userId, this.#figuresOf(rule))?.message
    } catch (error) {
      return (error as Error).message // the metric is no more, or its parameters
    }
  }

  /** The value of a rule at its beginning. Throws where the symbol or a row of it is not known. */
  async #firstValue(rule: AlertRule, figures: WatchedFigures): Promise<number | undefined> {
    const { hub, timers, wallNow } = this.#options
    const cadence = this.#cadenceOf(rule)
    const watch = new Watch(rule, figures, { hub, cadence, onChange: () => {} })
    try {
      const answers = watch.metrics.flatMap(({ feed }) => hub.firstAnswer(feed) ?? [])
      const patience = new Promise<void>((resolve) => timers.schedule(wallNow() + ACK_TIMEOUT, resolve))
      if (answers.length > 0) await Promise.race([Promise.all(answers), patience])
      for (const metric of watch.metrics) {
        const error = firstAnswerError(hub, metric)
        if (error !== undefined) throw refusalOf(error)
      }
      return watch.look().value
    } finally {
      watch.end()
    }
  }

  #follow(rule: AlertRule, figures: WatchedFigures): void {
    this.#evaluator.follow(rule, figures, this.#cadenceOf(rule))
  }

  #cadenceOf({ userId }: AlertRule): number {
    return this.#options.termsOf(userId)?.cadence ?? ACK_TIMEOUT
  }

  #audit(
    { userId, email }: Owner,
    action: 'alert.create' | 'alert.change' | 'alert.remove' | 'webhook.rotate',
    { id, symbol, metric, state }: AlertRule,
    url: string | undefined
  ): void {
    const { database, wallNow } = this.#options
    // Of an address the host alone: what stands behind it may be a secret.
    const detail = { id, symbol, metric, state, ...(url !== undefined && { webhook: new URL(url).host }) }
    audit(database, wallNow(), { actor: email.length <= 100 ? email : userId, action, target: email, detail })
  }

  #tick(): void {
    const { timers, wallNow } = this.#options
    if (this.#stopped) return
    this.#guarded(() => {
      const isLate = wallNow() - this.#savedAt >= SAVE_EVERY
      if (isLate) this.#save()
      if (this.#changes.changed() || isLate) this.#align()
    })
    timers.schedule(wallNow() + LOOK_EVERY, () => this.#tick())
  }

  #guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#options.onError(error)
    }
  }

  /** Writes the values that were seen last, which decide nothing, and forgets what fired long ago. */
  #save(): void {
    const { rules, firings, database, wallNow } = this.#options
    this.#savedAt = wallNow()
    database.transaction(() => {
      for (const { rule } of this.#evaluator.watches) rules.progress(rule)
      firings.forgetBefore(wallNow() - KEEP_DAYS * MILLISECONDS_PER_DAY)
    })
  }

  /** Follows what is armed and may be, drops the rest, and pauses what the plan of its owner has lost. */
  #align(): void {
    const { rules, termsOf } = this.#options
    const used = new Map<string, number>()
    const armed = new Set<string>()
    for (const stored of rules.armed()) {
      const rule = this.#evaluator.find(stored.id)?.rule ?? stored
      const count = (used.get(rule.userId) ?? 0) + 1
      const limit = termsOf(rule.userId)?.limit ?? 0
      const because = count > limit ? `the plan has room for ${limit} alerts` : this.#lostBy(rule)
      if (because !== undefined) {
        rules.update(paused(rule, because))
        continue
      }
      used.set(rule.userId, count)
      armed.add(rule.id)
      const watch = this.#evaluator.find(rule.id)
      if (watch === undefined || watch.cadence !== this.#cadenceOf(rule)) this.#follow(rule, this.#figuresOf(rule))
    }
    for (const { rule } of [...this.#evaluator.watches]) if (!armed.has(rule.id)) this.#evaluator.drop(rule.id)
  }
}

const nameOf = ({ resolved, query }: Figure): MetricName => ({ metric: resolved.id, params: query.params })
