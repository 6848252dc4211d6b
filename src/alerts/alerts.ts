import { randomUUID } from 'node:crypto'
import type { Firing, Firings } from '../accounts/alerts/firings.ts'
import type { AlertRule } from '../accounts/alerts/rule.ts'
import type { AlertRules } from '../accounts/alerts/rules.ts'
import type { Webhook, Webhooks } from '../accounts/alerts/webhooks.ts'
import { audit } from '../accounts/audit.ts'
import type { Changes, Database } from '../accounts/database.ts'
import { apiError } from '../api/error.ts'
import type { Ticker } from '../market/units.ts'
import { distrustAt } from '../quality/chain-assessment.ts'
import { Admission, type AdmissionOptions } from './admission.ts'
import { Deliveries, type DeliveriesOptions } from './deliveries.ts'
import { freshMemory } from './evaluate.ts'
import { Evaluator, type EvaluatorOptions } from './evaluator.ts'
import { Browsers } from './push/browsers.ts'
import type { RuleFigures } from './rule-listener.ts'
import { ShownValues } from './shown-values.ts'
import { Upkeep } from './upkeep.ts'
import { testMessage } from './webhook/alert-message.ts'
import type { Posted } from './webhook/post.ts'
import { newSecret, signedHeaders } from './webhook/signature.ts'
import { readWebhookUrl } from './webhook/webhook-url.ts'

export interface AlertsOptions
  extends AdmissionOptions,
    Pick<DeliveriesOptions, 'post' | 'push' | 'random' | 'onAttempt' | 'onError'>,
    Pick<EvaluatorOptions, 'charge' | 'refund' | 'quality'> {
  readonly rules: AlertRules
  readonly firings: Firings
  readonly webhooks: Webhooks
  readonly database: Database
  readonly source: () => string
  readonly allowPrivate: boolean
  readonly onFired: () => void
}

export interface Owner {
  readonly userId: string
  readonly email: string
}

export type NewRule = Pick<AlertRule, 'symbol' | 'metric' | 'params' | 'condition' | 'value' | 'repeat' | 'note'> & {
  readonly webhookUrl: string | undefined
}

/** Fields of an alert rule that a user can change; absent fields keep their value. */
export type RuleChange = Partial<Pick<AlertRule, 'condition' | 'value' | 'repeat' | 'note'>> & {
  readonly state?: 'armed' | 'paused'
  /** The new webhook; undefined, if the key is present, removes the webhook. */
  readonly webhookUrl?: string | undefined
}

export interface OwnRule {
  readonly rule: AlertRule
  readonly url: string | undefined
  /** Signing secret of the webhook; present only when the webhook has just been created. */
  readonly secret: string | undefined
}

/** Everything about alerts: the operations of users, and the background work (evaluation, deliveries, upkeep). */
export class Alerts {
  readonly #options: AlertsOptions
  readonly #evaluator: Evaluator
  readonly #deliveries: Deliveries
  readonly #admission: Admission
  readonly #upkeep: Upkeep
  readonly #shown = new ShownValues()
  readonly browsers: Browsers

  constructor(options: AlertsOptions) {
    this.#options = options
    this.#deliveries = new Deliveries(options)
    this.browsers = new Browsers(options)
    this.#admission = new Admission(options)
    const onFired = () => {
      options.onFired()
      this.#deliveries.wake()
    }
    this.#evaluator = new Evaluator({
      ...options,
      onFired,
      refusalOf: (rule) => this.#admission.lostBy(rule),
      follow: (rule) => {
        this.#evaluator.follow(rule, this.#admission.figuresOf(rule), this.#admission.cadenceOf(rule))
      }
    })
    this.#upkeep = new Upkeep({ ...options, evaluator: this.#evaluator, admission: this.#admission })
  }

  start(): void {
    this.#upkeep.start()
    this.#deliveries.wake()
  }

  async stop(): Promise<void> {
    const sent = this.#deliveries.stop()
    await this.#upkeep.stop()
    await this.#evaluator.stop()
    await sent
  }

  async list(owner: Owner): Promise<OwnRule[]> {
    return (await this.#rulesOf(owner)).map((each) => this.#shownTo(owner, each))
  }

  /** Fails with alert_not_found if the owner has no such rule. */
  async get(owner: Owner, id: string): Promise<OwnRule> {
    return this.#shownTo(owner, await this.#find(owner, id))
  }

  events({ userId }: Owner, page: { alertId?: string; limit: number; offset: number }): Promise<Firing[]> {
    return this.#options.firings.page(userId, page)
  }

  /** Creates and arms an alert rule. Waits briefly if the data of its symbol has to be loaded first. */
  async create(owner: Owner, { webhookUrl, ...wanted }: NewRule): Promise<OwnRule> {
    const { rules, database, wallNow } = this.#options
    await this.#admission.requireRoom(owner.userId, (await rules.ofUser(owner.userId)).length)
    const { rule, figures } = this.#admission.named({
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
      firedCount: 0,
      version: 0
    })
    const url = this.#readUrl(webhookUrl)
    const value = await this.#firstValue(rule, figures)
    const made = await database.durably(async (tx) => {
      await this.#admission.requireRoom(owner.userId, (await rules.ofUser(owner.userId, tx)).length, tx)
      const { webhook, secret } = await this.#webhookAt(tx, owner, url)
      const ready = { ...rule, webhookId: webhook?.id, memory: freshMemory(value) }
      await rules.add(ready, tx)
      await this.#audit(tx, owner, 'alert.create', ready, url)
      return { rule: ready, url, secret }
    })
    this.#evaluator.follow(made.rule, figures, this.#admission.cadenceOf(made.rule))
    return made
  }

  /** Value from which a rule begins; undefined if there is none, or its data do not reach the quality floor. */
  async #firstValue(rule: AlertRule, figures: RuleFigures): Promise<number | undefined> {
    const { quality, marketNow } = this.#options
    const value = await this.#admission.firstValue(rule, figures)
    const assessment = await quality(rule.symbol as Ticker)
    return assessment !== undefined && distrustAt(assessment, marketNow()) !== undefined ? undefined : value
  }

  /**
   * Changes an alert rule. If its condition or value changes, or it is armed again, its memory is reset as for a new
   * rule.
   */
  async change(owner: Owner, id: string, wanted: RuleChange): Promise<OwnRule> {
    const { rules, database, webhooks } = this.#options
    const { state, webhookUrl, ...change } = wanted
    const before = await this.#find(owner, id)
    const { rule, figures } = this.#admission.named({ ...before.rule, ...change })
    const url = 'webhookUrl' in wanted ? this.#readUrl(webhookUrl) : before.url
    const isArmed = (state ?? rule.state) === 'armed'
    const begins = isArmed && (before.rule.state !== 'armed' || 'condition' in change || 'value' in change)
    const all = await rules.ofUser(owner.userId)
    const armed = all.filter((each) => each.state === 'armed' && each.id !== id).length
    if (begins) await this.#admission.requireRoom(owner.userId, armed)
    const value = begins ? await this.#firstValue(rule, figures) : undefined
    const changed = await this.#evaluator.whileHeld(id, async () => {
      const written = await database.durably(async (tx) => {
        const stored = await rules.find(owner.userId, id, tx)
        if (stored === undefined) throw apiError('alert_not_found')
        const { firedCount, lastFiredAt, memory, lastValue, lastValueAt, version } = stored
        const { webhook, secret } = await this.#webhookAt(tx, owner, url)
        const next: AlertRule = {
          ...rule,
          ...{ firedCount, lastFiredAt, memory, lastValue, lastValueAt, version },
          state: state ?? rule.state,
          webhookId: webhook?.id,
          ...(state !== undefined && { pausedBecause: undefined }),
          ...(begins && { memory: freshMemory(value) })
        }
        const updated = await rules.update(next, tx)
        await webhooks.removeUnused(owner.userId, tx)
        await this.#audit(tx, owner, 'alert.change', updated, url)
        return { rule: updated, url, secret }
      })
      if (isArmed) this.#evaluator.follow(written.rule, figures, this.#admission.cadenceOf(written.rule))
      else this.#evaluator.drop(id)
      return written
    })
    return this.#shownTo(owner, changed)
  }

  async remove(owner: Owner, id: string): Promise<OwnRule> {
    const { rules, database, webhooks } = this.#options
    const removed = await this.get(owner, id)
    await database.durably(async (tx) => {
      await rules.remove(id, tx)
      await webhooks.removeUnused(owner.userId, tx)
      await this.#audit(tx, owner, 'alert.remove', removed.rule, removed.url)
    })
    this.#evaluator.drop(id)
    return removed
  }

  async rotate(owner: Owner, id: string): Promise<string> {
    const { database, webhooks } = this.#options
    const { rule, url } = await this.#find(owner, id)
    const webhook = await this.#webhookOf(rule)
    const secret = newSecret()
    await database.durably(async (tx) => {
      await webhooks.rotate(webhook, secret, tx)
      await this.#audit(tx, owner, 'webhook.rotate', rule, url)
    })
    return secret
  }

  async test(owner: Owner, id: string): Promise<Posted> {
    const { wallNow, post } = this.#options
    const { rule } = await this.#find(owner, id)
    const webhook = await this.#webhookOf(rule)
    const body = JSON.stringify(testMessage(rule, wallNow()))
    const headers = signedHeaders(randomUUID(), wallNow(), body, webhook.secrets)
    return post({ url: webhook.url, headers, body }, new AbortController().signal)
  }

  async #rulesOf({ userId }: Owner): Promise<OwnRule[]> {
    const webhooks = await this.#options.webhooks.ofUser(userId)
    const rules = await this.#options.rules.ofUser(userId)
    return rules.map((stored) => {
      const rule = this.#evaluator.newerOf(stored)
      return { rule, url: rule.webhookId && webhooks.get(rule.webhookId)?.url, secret: undefined }
    })
  }

  async #find(owner: Owner, id: string): Promise<OwnRule> {
    const found = (await this.#rulesOf(owner)).find(({ rule }) => rule.id === id)
    if (found === undefined) throw apiError('alert_not_found')
    return found
  }

  #shownTo({ userId }: Owner, own: OwnRule): OwnRule {
    const freshness = this.#admission.freshnessOf(userId)
    return { ...own, rule: this.#shown.of(own.rule, freshness, this.#options.wallNow()) }
  }

  async #webhookOf({ webhookId }: AlertRule): Promise<Webhook> {
    const webhook = webhookId === undefined ? undefined : await this.#options.webhooks.find(webhookId)
    if (webhook === undefined) throw apiError('invalid_webhook', 'the alert has no webhook', { parameter: 'webhook' })
    return webhook
  }

  #readUrl(text: string | undefined): string | undefined {
    return text === undefined ? undefined : readWebhookUrl(text, this.#options.allowPrivate).href
  }

  /**
   * Finds or creates a user's webhook for a URL. All rules of the user share it; the secret is returned only if the
   * webhook is new.
   */
  async #webhookAt(
    tx: Changes,
    { userId }: Owner,
    url: string | undefined
  ): Promise<{ webhook?: Webhook; secret: string | undefined }> {
    if (url === undefined) return { secret: undefined }
    const { webhooks } = this.#options
    const known = [...(await webhooks.ofUser(userId, tx)).values()].find((each) => each.url === url)
    if (known?.pushKeys !== undefined) {
      throw apiError('invalid_webhook', 'webhook.url is the address of a browser', { parameter: 'webhook' })
    }
    if (known !== undefined) return { webhook: known, secret: undefined }
    const secret = newSecret()
    return { webhook: await webhooks.add(userId, url, secret, tx), secret }
  }

  #audit(
    tx: Changes,
    { userId, email }: Owner,
    action: 'alert.create' | 'alert.change' | 'alert.remove' | 'webhook.rotate',
    { id, symbol, metric, state }: AlertRule,
    url: string | undefined
  ): Promise<void> {
    // Only the host is logged, because the rest of the URL may be secret.
    const detail = { id, symbol, metric, state, ...(url !== undefined && { webhook: new URL(url).host }) }
    return audit(tx, this.#options.wallNow(), {
      actor: email.length <= 100 ? email : userId,
      action,
      target: email,
      detail
    })
  }
}
