import { type CapturePlace, endOfCapture } from '../connectors/port/capture/capture-place.ts'
import type { MarketEventBus } from '../live/market-events.ts'
import type { Instant } from '../market/units.ts'
import type { Log } from '../server/operations/log.ts'
import type { Shutdown } from './shutdown.ts'

export interface SourceLogOptions {
  readonly events: MarketEventBus
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly wallNow: () => Instant
  /** Whether the service stops, which ends the loads under way: that is no failure of the source. */
  readonly isStopping: () => boolean
}

/** How often the same thing is said, milliseconds. */
const SAID_EVERY = 60_000
/** Different sentences that are told apart: any more of them count as one. */
const MAX_SENTENCES = 100

/**
 * What the log says of a source that fails: each kind of failure once and then once a minute, with how often it came in
 * between, however many symbols meet it. Between two failures the source may have answered for other symbols: then a
 * symbol is named that was not named lately.
 */
export function logSource({ events, log, wallNow, isStopping }: SourceLogOptions): void {
  const failures = new SpareLines(wallNow)
  const refusals = new SpareLines(wallNow)
  const named = new Map<string, Instant>()
  events.on('sourceFailed', ({ symbol, seconds, error }) => {
    if (isStopping()) return
    const wasNamed = wallNow() - (named.get(symbol) ?? Number.NEGATIVE_INFINITY) < SAID_EVERY
    const withheld = failures.say(kindOf(error.message, symbol), wasNamed)
    if (withheld === undefined) return
    named.set(symbol, wallNow())
    log.warn({ symbol, seconds, reason: error.message, ...among(withheld) }, 'the source did not answer')
  })
  events.on('payloadRefused', ({ symbol, reason, message }) => {
    if (isStopping()) return
    const withheld = refusals.say(kindOf(message, symbol), false)
    if (withheld === undefined) return
    log.warn({ symbol, kind: reason, reason: message, ...among(withheld) }, 'a payload of the source was refused')
  })
  events.on('sourceAnswered', () => failures.forgive())
  const changes = new SpareLines(wallNow)
  events.on('sourceChanged', ({ symbol, from, to }) => {
    const withheld = changes.say(`${from} ${to}`, false)
    if (withheld !== undefined) log.warn({ symbol, from, to, ...among(withheld) }, 'another source serves')
  })
  const back = new SpareLines(wallNow)
  events.on('sourceBack', ({ symbol }) => {
    const withheld = back.say('', false)
    if (withheld !== undefined) log.info({ symbol, ...among(withheld) }, 'the source answers again')
  })
}

const among = (withheld: number) => (withheld === 0 ? {} : { alike: withheld })

/** A sentence without what differs from symbol to symbol and from time to time. */
function kindOf(message: string, symbol: string): string {
  const words = message.split(/([\w.^]+)/).map((word) => (word === symbol ? '*' : word))
  return words.join('').replace(/[\d.,:]+/g, '#')
}

/** Sentences of which each is said once in a while only. */
class SpareLines {
  readonly #wallNow: () => Instant
  readonly #said = new Map<string, { at: Instant; withheld: number; isForgiven: boolean }>()

  constructor(wallNow: () => Instant) {
    this.#wallNow = wallNow
  }

  /** How many like it were withheld since it was said; undefined where it is to be withheld itself. */
  say(kind: string, isRepetition: boolean): number | undefined {
    const now = this.#wallNow()
    const known = this.#said.has(kind) || this.#said.size < MAX_SENTENCES ? kind : ''
    const last = this.#said.get(known)
    const isDue = last === undefined || now - last.at >= SAID_EVERY || (last.isForgiven && !isRepetition)
    if (!isDue) {
      last.withheld++
      return undefined
    }
    this.#said.set(known, { at: now, withheld: 0, isForgiven: false })
    return last?.withheld ?? 0
  }

  /** Lets each be said again at once, of what was not named yet. */
  forgive(): void {
    for (const last of this.#said.values()) last.isForgiven = true
  }
}

/** How often the log looks whether raw answers are still kept, milliseconds: any thread may have met a full disk. */
const LOOK = 1000

/** Says once in the log that raw answers are no longer kept. What they were kept of goes on. */
export function logCaptureEnd(place: CapturePlace | undefined, log: Pick<Log, 'warn'>, shutdown: Shutdown): void {
  if (place === undefined) return
  const looking = setInterval(() => {
    const sentence = endOfCapture(place)
    if (sentence === undefined) return
    clearInterval(looking)
    log.warn(sentence)
  }, LOOK)
  looking.unref()
  shutdown.add(async () => clearInterval(looking))
}
