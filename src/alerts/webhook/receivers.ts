import { LRUCache } from 'lru-cache'
import { entriesUpTo } from '../../memory/entries-up-to.ts'

/** A message that is being sent, and to whom. */
export interface UnderWay {
  readonly userId: string
  readonly webhookId: string
  readonly host: string
}

/** Messages in flight at once. Each holds a socket and little else. */
const MAX_UNDER_WAY = 256
const MAX_OF_USER = 4
const MAX_OF_HOST = 32
/** Messages in flight to webhooks that are not trusted: the rest stays free for those that answer. */
const MAX_PROBES = 192
const MAX_PROBES_OF_USER = 2
const MAX_PROBES_OF_HOST = 8
/** An answer that takes longer, in milliseconds, costs a webhook its trust as silence does, but not its turn. */
const SLOW = 2000
/** Milliseconds until the next message after the first silence. It doubles with each further one up to the longest. */
const FIRST_PAUSE = 5000
const LONGEST_PAUSE = 300_000
/** Webhooks whose past is remembered; one that is forgotten is like one that was never used. */
const MAX_REMEMBERED = 20_000

interface Past {
  /** Whether the last message was accepted, and soon. */
  readonly trusted: boolean
  /** Messages in a row that got no answer. */
  readonly silences: number
  /** When its pause ends, milliseconds of the steady clock. */
  readonly resumesAt: number
}

const unknown: Past = { trusted: false, silences: 0, resumesAt: Number.NEGATIVE_INFINITY }

/**
 * Decides which webhook may be sent a message now, so that receivers that do not answer take no time from those that
 * do. A webhook is trusted while it accepts its messages soon. One that is not, a new one too, gets a single message at
 * a time, and its user and host few. After a silence a webhook is left alone for a while that grows (a circuit breaker
 * whose single message is the half-open state).
 */
export class Receivers {
  readonly #past = new LRUCache<string, Past>(entriesUpTo(MAX_REMEMBERED))
  readonly #underWay = new Set<UnderWay>()

  get underWay(): number {
    return this.#underWay.size
  }

  /** When the pause of a webhook ends, milliseconds of the steady clock. */
  resumesAt(webhookId: string): number {
    return this.#pastOf(webhookId).resumesAt
  }

  hasRoomFor({ userId, webhookId, host }: UnderWay): boolean {
    let [all, ofUser, ofHost, ofWebhook, probes, probesOfUser, probesOfHost] = [0, 0, 0, 0, 0, 0, 0]
    for (const each of this.#underWay) {
      const probe = this.#pastOf(each.webhookId).trusted ? 0 : 1
      all++
      probes += probe
      if (each.webhookId === webhookId) ofWebhook++
      if (each.userId === userId) {
        ofUser++
        probesOfUser += probe
      }
      if (each.host === host) {
        ofHost++
        probesOfHost += probe
      }
    }
    if (all >= MAX_UNDER_WAY || ofUser >= MAX_OF_USER || ofHost >= MAX_OF_HOST) return false
    if (this.#pastOf(webhookId).trusted) return true
    if (ofWebhook > 0) return false
    return probes < MAX_PROBES && probesOfUser < MAX_PROBES_OF_USER && probesOfHost < MAX_PROBES_OF_HOST
  }

  begin(message: UnderWay): void {
    this.#underWay.add(message)
  }

  /** The message was answered after `took` milliseconds; `accepted`: with a status that means delivered. */
  answered(message: UnderWay, { accepted, took }: { readonly accepted: boolean; readonly took: number }): void {
    this.end(message)
    this.#past.set(message.webhookId, { ...unknown, trusted: accepted && took <= SLOW })
  }

  /** The message got no answer by `now`, a time of the steady clock. `chance` from 0 to 1 spreads webhooks that fell silent together. */
  wasSilent(message: UnderWay, now: number, chance: number): void {
    this.end(message)
    const silences = this.#pastOf(message.webhookId).silences + 1
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(silences - 1, 10))
    this.#past.set(message.webhookId, { trusted: false, silences, resumesAt: now + pause * (0.9 + 0.2 * chance) })
  }

  /** Frees the place of a message, whatever became of it. */
  end(message: UnderWay): void {
    this.#underWay.delete(message)
  }

  #pastOf(webhookId: string): Past {
    return this.#past.get(webhookId) ?? unknown
  }
}
