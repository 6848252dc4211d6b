import type { Attempt, DeliveryState, Firing, Firings, WaitingWebhook } from '../accounts/alerts/firings.ts'
import type { Webhook, Webhooks } from '../accounts/alerts/webhooks.ts'
import type { Instant } from '../market/units.ts'
import type { TimerQueue } from '../stream/delivery/timer-queue.ts'
import { type PushSender, pushMessage } from './push/push-message.ts'
import type { Message, Posted } from './webhook/post.ts'
import { Receivers, type UnderWay } from './webhook/receivers.ts'
import { nextAttempt } from './webhook/retry.ts'
import { signedHeaders } from './webhook/signature.ts'

export interface DeliveriesOptions {
  readonly firings: Firings
  readonly webhooks: Webhooks
  readonly timers: TimerQueue
  readonly wallNow: () => Instant
  readonly post: (message: Message, signal: AbortSignal) => Promise<Posted>
  /** How the service names itself to the push services of browsers. */
  readonly push: PushSender
  readonly random: () => number
  /** Called after every delivery attempt with the new state of the firing; `waiting` means it will be retried. */
  readonly onAttempt: (state: DeliveryState) => void
  readonly onError: (error: unknown) => void
}

/** Milliseconds until the next try after the queue could not be read or written. */
const RETRY_AFTER = 5000
/** Milliseconds between two looks for what other services left to be sent. */
const LOOK_EVERY = 2000
/** Milliseconds by which the wall clock must fall behind to count as set back; it is adjusted by less all the time. */
const SET_BACK = 1000

/**
 * Sends firings to the webhooks of their rules, and copies of them to browsers, until each is accepted or a day has passed.
 * The database table of firings is the queue: an attempt whose result was not written is repeated.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions
  readonly #receivers = new Receivers()
  /** For each firing in flight, the id of its webhook. */
  readonly #underWay = new Map<string, string>()
  /** The number of the last message sent to each user who has undelivered firings; 0 if there was none. */
  #lastServed = new Map<string, number>()
  #served = 0
  readonly #end = new AbortController()
  #idle: (() => void)[] = []
  /** When the timer wakes it, milliseconds of the steady clock. */
  #nextWake = Number.POSITIVE_INFINITY
  /** The wall clock less the steady clock at the last wake. */
  #clockOffset: number | undefined
  /** Whether there may be something to send that the run under way has not seen. */
  #isWoken = false
  /** Resolves when the run under way has ended; undefined if there is none. */
  #running: Promise<void> | undefined

  constructor(options: DeliveriesOptions) {
    this.#options = options
  }

  /** Sends the firings that are due and have room, and sets a timer for the next. */
  wake(): void {
    this.#isWoken = true
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#end.signal.aborted) {
      this.#isWoken = false
      await this.#sendDue()
    }
    this.#running = undefined
  }

  async #sendDue(): Promise<void> {
    const { firings, timers, wallNow, onError } = this.#options
    try {
      const now = wallNow()
      await this.#followWallClock(now - timers.now())
      const waiting = await firings.waiting()
      this.#lastServed = new Map(waiting.map(({ userId }) => [userId, this.#lastServed.get(userId) ?? 0]))
      const due: WaitingWebhook[] = []
      for (const webhook of waiting) {
        const pause = this.#receivers.resumesAt(webhook.webhookId) - timers.now()
        const wait = Math.max(webhook.nextAttemptAt - now, pause)
        if (wait <= 0) due.push(webhook)
        else this.#wakeAfter(wait)
      }
      await this.#sendInTurn(due, now)
      // Others may make firings, or claim some and end before they send them.
      if (firings.areShared) this.#wakeAfter(LOOK_EVERY)
    } catch (error) {
      onError(error)
      this.#wakeAfter(RETRY_AFTER)
    }
  }

  /** Stops sending; unfinished messages are sent again after the next start. */
  async stop(): Promise<void> {
    this.#end.abort()
    await this.#running
    if (this.#receivers.underWay > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #wakeAfter(milliseconds: number): void {
    const { timers } = this.#options
    const due = timers.now() + milliseconds
    if (due >= this.#nextWake) return
    this.#nextWake = due
    timers.schedule(due, () => {
      if (this.#nextWake !== due) return
      this.#nextWake = Number.POSITIVE_INFINITY
      this.wake()
    })
  }

  /** Attempts are stored by the wall clock, so they move with it if it is set back: nobody waits longer for that. */
  async #followWallClock(offset: number): Promise<void> {
    const before = this.#clockOffset ?? offset
    if (offset < before - SET_BACK) await this.#options.firings.moveAttempts(offset - before)
    this.#clockOffset = offset
  }

  /** Sends one message of each webhook in turn, those of the user first who was served longest ago. */
  async #sendInTurn(webhooks: readonly WaitingWebhook[], now: Instant): Promise<void> {
    let inTurn = webhooks
    while (inTurn.length > 0) {
      const sorted = inTurn.toSorted((a, b) => this.#lastServed.get(a.userId)! - this.#lastServed.get(b.userId)!)
      const served: WaitingWebhook[] = []
      for (const webhook of sorted) if (await this.#sendNextOf(webhook, now)) served.push(webhook)
      inTurn = served
    }
  }

  /** Returns whether a message was sent. If there is no room, the end of another delivery calls `wake` again. */
  async #sendNextOf({ webhookId, userId, url }: WaitingWebhook, now: Instant): Promise<boolean> {
    const message = { webhookId, userId, host: new URL(url).host }
    if (!this.#receivers.hasRoomFor(message)) return false
    const { firings } = this.#options
    // One that ends meanwhile is read as if it were still to be sent.
    const underWay = new Set([...this.#underWay].filter(([, id]) => id === webhookId).map(([id]) => id))
    const firing = await firings.nextDue(webhookId, now, underWay)
    if (firing === undefined) return false
    if (this.#end.signal.aborted) {
      await firings.release(firing)
      return false
    }
    this.#lastServed.set(userId, ++this.#served)
    this.#receivers.begin(message)
    this.#underWay.set(firing.id, webhookId)
    void this.#send(firing, message)
    return true
  }

  async #send(firing: Firing, message: UnderWay): Promise<void> {
    const { firings, webhooks, timers, post, random, onAttempt, onError } = this.#options
    let again = 0
    try {
      const webhook = await webhooks.find(message.webhookId)
      if (webhook === undefined) return
      const composed = await this.#compose(webhook, firing)
      const began = timers.now()
      const posted = await post(composed, this.#end.signal)
      if (this.#end.signal.aborted && !posted.delivered) return await firings.release(firing)
      if (posted.status === undefined) this.#receivers.wasSilent(message, timers.now(), random())
      else this.#receivers.answered(message, { accepted: posted.delivered, took: timers.now() - began })
      if (webhook.pushKeys !== undefined && isGone(posted)) await webhooks.forgetBrowser(webhook.id)
      const attempt = this.#attemptOf(firing, posted)
      await firings.attempted(attempt)
      onAttempt(attempt.delivery)
    } catch (error) {
      onError(error)
      again = RETRY_AFTER
    } finally {
      this.#receivers.end(message)
      this.#underWay.delete(firing.id)
      if (this.#end.signal.aborted) {
        if (this.#receivers.underWay === 0) for (const resolve of this.#idle.splice(0)) resolve()
      } else this.#wakeAfter(again)
    }
  }

  #compose({ url, secrets, pushKeys }: Webhook, firing: Firing): Message | Promise<Message> {
    const { push, wallNow } = this.#options
    const { id, body } = firing
    if (pushKeys === undefined) return { url, headers: signedHeaders(id, wallNow(), body, secrets), body }
    return pushMessage({ url, keys: pushKeys }, firing, push, wallNow())
  }

  #attemptOf({ id, at, attempts: before }: Firing, { delivered, status, failure }: Posted): Attempt {
    const { wallNow, random } = this.#options
    const attemptedAt = wallNow()
    const attempts = before + 1
    const done = { id, attempts, attemptedAt, nextAttemptAt: undefined, failure }
    if (delivered) return { ...done, delivery: 'delivered' }
    // 410 Gone: the receiver wants no more messages. Standard Webhooks 1.0.0, "Delivery success and failure".
    const nextAttemptAt = status === 410 ? undefined : nextAttempt(at, attempts, attemptedAt, random())
    return { ...done, nextAttemptAt, delivery: nextAttemptAt === undefined ? 'given_up' : 'waiting' }
  }
}

/** Whether a push service says that a subscription has ended: RFC 8030, section 7.3, and 410 as it is used. */
const isGone = ({ status }: Posted) => status === 404 || status === 410
