import { batch, signal } from '@preact/signals'
import { ApiError } from 'gammawall/client'
import { brand } from '../page/brand.ts'
import { isCounted } from '../service/freshness.ts'
import { FRUGAL, USUAL, untilSeen } from '../service/pace.ts'
import { type Method, send } from '../service/send.ts'
import { inWords } from './metric-names.ts'

/** The alerts of the reader: the answers below /v1/alerts. The service evaluates them even if no page is open. */

export type Condition = 'above' | 'below' | 'crosses' | 'changes_by'

/** The right-hand side of a condition: a number, or another metric of the same symbol. */
export type Target = number | { readonly metric: string }

export interface Alert {
  readonly id: string
  readonly symbol: string
  readonly metric: string
  readonly condition: Condition
  readonly value: Target
  readonly repeat: 'once' | 'each_time'
  readonly note: string | null
  readonly webhook: { readonly url: string } | null
  readonly state: 'armed' | 'paused' | 'done'
  readonly paused_because: string | null
  readonly last_value: number | null
  readonly last_fired_at: string | null
  readonly fired_count: number
}

export interface AlertEvent {
  readonly id: string
  readonly alert: string
  readonly symbol: string
  readonly metric: string
  /** Description of the event, as a sentence. */
  readonly text: string
  readonly at: string
  /** The moment of the market that it fired at; null: not known. */
  readonly as_of: string | null
  readonly delivery: 'none' | 'waiting' | 'delivered' | 'given_up'
  readonly attempts: number
  readonly failure: string | null
}

/** The fields of an alert that its owner chooses. */
export interface NewAlert {
  readonly symbol: string
  readonly metric: string
  readonly condition: Condition
  readonly value: Target
  readonly repeat: Alert['repeat']
  readonly note?: string
  readonly webhook?: { readonly url: string }
}

export const alerts = signal<readonly Alert[]>()
/** Newest first. */
export const events = signal<readonly AlertEvent[]>()
/** Ids of the metrics that an alert may watch. */
export const metrics = signal<readonly string[]>([])
/** Signing secret of a new webhook, until it is copied. */
export const secret = signal<string>()
/** Why the service refused the last request. */
export const refusal = signal<ApiError>()
/** Result of a webhook test, as a sentence. */
export const tested = signal<string>()

/** Milliseconds between requests. */
const PACE = 5000
const RECENT = 200

let followers = 0
let stop: (() => void) | undefined

/** Polls alerts and events while the page is visible, until the returned function is called. */
export function follow(): () => void {
  if (followers++ === 0) stop = start(() => PACE)
  return () => {
    if (--followers === 0) stop?.()
  }
}

/** Like `follow`, for a screen beside which alerts stand: seldom where the plan counts requests. */
export const followSeldom = () => start(() => (isCounted() ? FRUGAL : USUAL))

function start(pace: () => number): () => void {
  const gaveUp = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const poll = async () => {
    await renew()
    if (gaveUp.signal.aborted) return
    timer = setTimeout(async () => {
      await untilSeen(gaveUp.signal)
      if (!gaveUp.signal.aborted) void poll()
    }, pace())
  }
  void poll()
  return () => {
    gaveUp.abort()
    clearTimeout(timer)
  }
}

/** Requests alerts and events once. */
export async function renew(): Promise<void> {
  await attempt(async () => {
    const [ofAlerts, ofEvents] = (await Promise.all([
      send('GET', '/v1/alerts'),
      send('GET', `/v1/alerts/events?limit=${RECENT}`)
    ])) as [{ readonly alerts: readonly Alert[] }, { readonly events: readonly AlertEvent[] }]
    const known = events.peek()
    batch(() => {
      alerts.value = ofAlerts.alerts
      events.value = ofEvents.events
      if (refusal.peek()?.code === 'unreachable') refusal.value = undefined
    })
    const before = new Set(known?.map(({ id }) => id))
    if (known !== undefined) notify(ofEvents.events.filter(({ id }) => !before.has(id)))
  })
}

/** Shows browser notifications if the reader allows them. */
function notify(fired: readonly AlertEvent[]): void {
  if (!canNotify() || Notification.permission !== 'granted') return
  for (const { id, text } of fired) {
    try {
      // A push about the same takes the place of this notification.
      new Notification(brand.name, { body: inWords(text), tag: id })
    } catch {
      return // Browsers of phones let workers alone show them.
    }
  }
}

/** Browsers offer notifications on secure pages only: HTTPS or localhost. */
export const canNotify = () => 'Notification' in globalThis

/**
 * Loads the ids of metrics that are one number per symbol. Metrics of an option would need a strike and an expiration.
 */
export async function loadMetrics(): Promise<void> {
  if (metrics.peek().length > 0) return
  const found: string[] = []
  await attempt(async () => {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const read = (await send('GET', `/v1/stream/catalog?value_type=number&page=${page}`)) as {
        readonly pages: number
        readonly metrics: readonly { readonly id: string; readonly selectors: readonly string[] }[]
      }
      pages = read.pages
      found.push(...read.metrics.filter(({ selectors }) => selectors.length === 0).map(({ id }) => id))
    }
  })
  metrics.value = found
}

/** Reads a number or the name of a metric. */
export function targetOf(text: string): Target {
  const plain = text.trim().replaceAll(',', '')
  return plain !== '' && Number.isFinite(Number(plain)) ? Number(plain) : { metric: text.trim() }
}

/** `onMade` is called as soon as there is the alert, before everything is read again. */
export async function createAlert(wanted: NewAlert, onMade?: () => void): Promise<boolean> {
  return change('POST', '/v1/alerts', wanted, onMade)
}

export const moveAlert = (id: string, value: Target) => change('PATCH', `/v1/alerts/${id}`, { value })
export const setState = (id: string, state: 'armed' | 'paused') => change('PATCH', `/v1/alerts/${id}`, { state })
export const removeAlert = (id: string) => change('DELETE', `/v1/alerts/${id}`)

export async function testAlert({ id, webhook }: Alert): Promise<void> {
  forgetOutcome()
  await attempt(async () => {
    const { delivered, failure } = (await send('POST', `/v1/alerts/${id}/test`, {})) as {
      readonly delivered: boolean
      readonly failure: string | null
    }
    const host = webhook === null ? 'The webhook' : new URL(webhook.url).host
    tested.value = delivered ? `${host} took a test.` : `${host} did not take a test: ${failure}.`
  })
}

/** Makes a change and reads everything again. Returns whether the change was accepted. */
async function change(method: Method, path: string, body?: unknown, onMade?: () => void): Promise<boolean> {
  forgetOutcome()
  const isMade = await attempt(async () => {
    const { webhook_secret: made } = (await send(method, path, body)) as { readonly webhook_secret?: string | null }
    if (typeof made === 'string') secret.value = made
  })
  if (!isMade) return false
  onMade?.()
  await renew()
  return true
}

/** Clears the result of the previous change. */
export function forgetOutcome(): void {
  batch(() => {
    tested.value = undefined
    refusal.value = undefined
  })
}

/** Returns whether the work was done; if not, `refusal` says why. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    refusal.value = error
    return false
  }
}
