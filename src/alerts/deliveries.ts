import type { Attempt, DeliveryState, Firing, Firings } from '../accounts/alerts/firings.ts'
import type { Webhooks } from '../accounts/alerts/webhooks.ts'
import type { Instant } from '../market/units.ts'
import type { TimerQueue } from '../stream/delivery/timer-queue.ts'
import type { Message, Posted } from './webhook/post.ts'
import { nextAttempt } from './webhook/retry.ts'
import { signedHeaders } from './webhook/signature.ts'

export interface DeliveriesOptions {
  readonly firings: Firings
  readonly webhooks: Webhooks
  readonly timers: TimerQueue
  readonly wallNow: () => Instant
  readonly post: (message: Message, signal: AbortSignal) => Promise<Posted>
  readonly random: () => number
  /** Called after every delivery attempt with the new state of the firing; `waiting` means it will be retried. */
  readonly onAttempt: (state: DeliveryState) => void
  readonly onError: (error: unknown) => void
}

/** Maximum number of messages in flight, in total and per user, so that one silent webhook does not block others. */
const MAX_UNDER_WAY = 16
const MAX_OF_USER = 4
/** Milliseconds until the next try after the queue could not be read or written. */
const RETRY_AFTER = 5000

/**
 * Sends firings to the webhooks of their rules until each is accepted or a day has passed. The database table of
 * firings is the queue: an attempt whose result was not written is repeated.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions
  readonly #underWay = new Map<string, string>()
  readonly #end = new AbortController()
  #idle: (() => void)[] = []
  #nextWake: Instant = Number.POSITIVE_INFINITY

  constructor(options: DeliveriesOptions) {
    this.#options = options
  }

  /** Sends all firings that are due, and sets a timer for the next. */
  wake(): void {
    if (this.#end.signal.aborted) return
    const { firings, wallNow, onError } = this.#options
    try {
      const now = wallNow()
      for (const { userId, nextAttemptAt } of firings.waitingUsers()) {
        if (nextAttemptAt > now) {
          this.#wakeAt(nextAttemptAt)
          break
        }
        this.#sendDueOf(userId, now)
      }
    } catch (error) {
      onError(error)
      this.#wakeAt(wallNow() + RETRY_AFTER)
    }
  }

  /** Stops sending; unfinished messages are sent again after the next start. */
  async stop(): Promise<void> {
    this.#end.abort()
    if (this.#underWay.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #wakeAt(at: Instant): void {
    if (at >= this.#nextWake) return
    this.#nextWake = at
    this.#options.timers.schedule(at, () => {
      if (this.#nextWake !== at) return
      this.#nextWake = Number.POSITIVE_INFINITY
      this.wake()
    })
  }

  #sendDueOf(userId: string, now: Instant): void {
    const ofUser = [...this.#underWay.values()].filter((each) => each === userId).length
    const room = Math.min(MAX_UNDER_WAY - this.#underWay.size, MAX_OF_USER - ofUser)
    if (room <= 0) return // the end of any delivery calls `wake` again
    const due = this.#options.firings.due(userId, now, room + ofUser)
    for (const firing of due.filter(({ id }) => !this.#underWay.has(id)).slice(0, room)) void this.#send(firing)
  }

  async #send(firing: Firing): Promise<void> {
    const { firings, webhooks, wallNow, post, onAttempt, onError } = this.#options
    this.#underWay.set(firing.id, firing.userId)
    let again = 0
    try {
      const webhook = webhooks.find(firing.webhookId!)
      if (webhook === undefined) return
      const headers = signedHeaders(firing.id, wallNow(), firing.body, webhook.secrets)
      const posted = await post({ url: webhook.url, headers, body: firing.body }, this.#end.signal)
      if (this.#end.signal.aborted && !posted.delivered) return
      const attempt = this.#attemptOf(firing, posted)
      firings.attempted(attempt)
      onAttempt(attempt.delivery)
    } catch (error) {
      onError(error)
      again = RETRY_AFTER
    } finally {
      this.#underWay.delete(firing.id)
      if (this.#end.signal.aborted) {
        if (this.#underWay.size === 0) for (const resolve of this.#idle.splice(0)) resolve()
      } else this.#wakeAt(wallNow() + again)
    }
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
