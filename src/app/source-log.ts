import { type CapturePlace, endOfCapture } from '../connectors/port/capture/capture-place.ts'
import type { MarketEventBus } from '../live/market-events.ts'
import { type Instant, isoInstant } from '../market/units.ts'
import type { Log } from '../server/operations/log.ts'
import type { Shutdown } from './shutdown.ts'

export interface SourceLogOptions {
  readonly events: MarketEventBus
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly wallNow: () => Instant
  /** Clock of periods, milliseconds. */
  readonly steadyNow: () => number
  /** Whether the service is stopping. Stopping aborts loads, and their errors are not failures of the source. */
  readonly isStopping: () => boolean
}

/** Shortest time between two log lines of the same kind, milliseconds. */
const LOG_EVERY = 60_000
/** Number of kinds of message that are tracked one by one. All further kinds count as one. */
const MAX_SENTENCES = 100

/**
 * Logs failures of the source sparingly: each kind of failure once, then at most once a minute with the number of
 * repetitions. After the source has delivered data for any symbol, the next failure of a symbol that was not logged in
 * the last minute is logged at once.
 */
export function logSource({ events, log, wallNow, steadyNow, isStopping }: SourceLogOptions): void {
  const failures = new SpareLines(steadyNow)
  const refusals = new SpareLines(steadyNow)
  const restored = new SpareLines(steadyNow)
  const named = new Map<string, number>()
  events.on('sourceFailed', ({ symbol, seconds, error }) => {
    if (isStopping()) return
    const wasNamed = steadyNow() - (named.get(symbol) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY
    const withheld = failures.say(kindOf(error.message, symbol), wasNamed)
    if (withheld === undefined) return
    named.set(symbol, steadyNow())
    log.warn({ symbol, seconds, reason: error.message, ...among(withheld) }, 'the source did not answer')
  })
  events.on('payloadRefused', ({ symbol, reason, message }) => {
    if (isStopping()) return
    const withheld = refusals.say(kindOf(message, symbol), false)
    if (withheld === undefined) return
    log.warn({ symbol, kind: reason, reason: message, ...among(withheld) }, 'a payload of the source was refused')
  })
  events.on('chainRestored', ({ symbol, asOf }) => {
    const withheld = restored.say('', false)
    if (withheld === undefined) return
    const line = { symbol, at: isoInstant(asOf), ...among(withheld) }
    log.warn(line, 'the source has given no chain since the start; the last recorded one is served')
  })
  events.on('olderDropped', ({ symbol, message }) => {
    const withheld = refusals.say(kindOf(message, symbol), false)
    if (withheld === undefined) return
    log.info(
      { symbol, reason: message, ...among(withheld) },
      'the source answered with an older chain, which is dropped'
    )
  })
  const doubts = new SpareLines(steadyNow)
  events.on('readingDoubted', ({ symbol, reason, message, settledBy }) => {
    const withheld = doubts.say(reason, false)
    if (withheld === undefined) return
    const line = { symbol, kind: reason, reason: message, until: settledBy, ...among(withheld) }
    log.warn(line, 'what the source states is doubted and held back; the last good is served')
  })
  events.on('doubtEnded', ({ symbol, reason, since, by }) => {
    const withheld = doubts.say(`${reason} ${by}`, false)
    if (withheld === undefined) return
    const seconds = Math.round((wallNow() - since) / 1000)
    log.info({ symbol, kind: reason, by, seconds, ...among(withheld) }, 'a doubt about the source has ended')
  })
  events.on('futureReplaced', ({ symbol, was, is }) => {
    const withheld = doubts.say('future', false)
    if (withheld === undefined) return
    const moments = { was: isoInstant(was), is: isoInstant(is) }
    log.warn({ symbol, ...moments, ...among(withheld) }, 'a chain of the future is replaced: a clock was wrong')
  })
  events.on('sourceAnswered', () => failures.forgive())
  const changes = new SpareLines(steadyNow)
  events.on('sourceChanged', ({ symbol, from, to }) => {
    const withheld = changes.say(`${from} ${to}`, false)
    if (withheld !== undefined) log.warn({ symbol, from, to, ...among(withheld) }, 'another source serves')
  })
  const back = new SpareLines(steadyNow)
  events.on('sourceBack', ({ symbol }) => {
    const withheld = back.say('', false)
    if (withheld !== undefined) log.info({ symbol, ...among(withheld) }, 'the source answers again')
  })
}

const among = (withheld: number) => (withheld === 0 ? {} : { alike: withheld })

/** Kind of a message: the message without symbols and numbers, so that similar messages count as one kind. */
function kindOf(message: string, symbol: string): string {
  const words = message.split(/([\w.^]+)/).map((word) => (word === symbol ? '*' : word))
  return words.join('').replace(/[\d.,:]+/g, '#')
}

class SpareLines {
  readonly #steadyNow: () => number
  readonly #logged = new Map<string, { at: number; withheld: number; isForgiven: boolean }>()

  constructor(steadyNow: () => number) {
    this.#steadyNow = steadyNow
  }

  /**
   * Decides whether to log a message. Returns the number of messages of its kind that were not logged since the last
   * line, or undefined if this message is not to be logged either.
   */
  say(kind: string, isRepetition: boolean): number | undefined {
    const now = this.#steadyNow()
    const known = this.#logged.has(kind) || this.#logged.size < MAX_SENTENCES ? kind : ''
    const last = this.#logged.get(known)
    const isDue = last === undefined || now - last.at >= LOG_EVERY || (last.isForgiven && !isRepetition)
    if (!isDue) {
      last.withheld++
      return undefined
    }
    this.#logged.set(known, { at: now, withheld: 0, isForgiven: false })
    return last?.withheld ?? 0
  }

  /**
   * Lets the next message of every kind be logged at once, unless it concerns a symbol that was logged in the last
   * minute.
   */
  forgive(): void {
    for (const last of this.#logged.values()) last.isForgiven = true
  }
}

/**
 * Milliseconds between two checks whether capturing has ended. Any thread may have ended it, for example because the
 * disk is full.
 */
const CHECK_EVERY = 1000

/** Logs once when raw responses of the source are no longer captured. The service itself continues. */
export function logCaptureEnd(place: CapturePlace | undefined, log: Pick<Log, 'warn'>, shutdown: Shutdown): void {
  if (place === undefined) return
  const checking = setInterval(() => {
    const sentence = endOfCapture(place)
    if (sentence === undefined) return
    clearInterval(checking)
    log.warn(sentence)
  }, CHECK_EVERY)
  checking.unref()
  shutdown.add(async () => clearInterval(checking))
}
