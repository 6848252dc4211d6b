import { latestSession, session as sessionHours } from '../../../market/calendar.ts'
import { easternDate } from '../../../market/eastern.ts'
import { MICROSECONDS_PER_MILLISECOND } from '../../../market/print.ts'
import { type Instant, MILLISECONDS_PER_MINUTE, type Ticker } from '../../../market/units.ts'
import { runPaced } from '../../port/prints/paced-prints.ts'
import type { PrintFeed, TapeMessage } from '../../port/prints/print-feed.ts'
import { lastSession, sessionOnOrAfter, sessions } from '../market-sessions.ts'
import { type Security, securityOf } from '../securities/securities.ts'
import type { World } from '../world.ts'
import { optionTape } from './option-tape.ts'
import type { MinuteTape, SessionTape } from './session-tape.ts'
import { shareTape } from './share-tape.ts'

/**
 * Print feed of the synthetic market's options and stocks. Any past period can be read. Live prints are sent when the
 * market clock passes their time.
 */
export function syntheticPrints(world: World): PrintFeed {
  const readerOf = (symbol: Ticker) => {
    const security = securityOf(symbol)
    return security === undefined ? undefined : new TapeReader(world, security)
  }
  return {
    delay: 0,
    stocks: true,

    run(wanted, sink, signal, now) {
      const printsOf = (symbol: Ticker) => {
        const reader = readerOf(symbol)
        // After a long pause only the current session is sent, from its open; earlier sessions are left out.
        return reader && ((from: Instant, to: Instant) => reader.between(Math.max(from, latestSession(to).open), to))
      }
      return runPaced(printsOf, wanted, sink, signal, now)
    },

    async *past(symbol, from, to, signal) {
      for (const batch of readerOf(symbol)?.between(from, to) ?? []) {
        yield batch
        await new Promise(setImmediate) // a whole session takes seconds, so other work runs in between
        if (signal.aborted) return
      }
    }
  }
}

/** Reads the tapes of a security, session after session. It keeps the session and the minute that were read last. */
class TapeReader {
  readonly #world: World
  readonly #security: Security
  #session = -1
  #tapes: readonly SessionTape[] = []
  #minute = -1
  #parts: readonly MinuteTape[] = []

  constructor(world: World, security: Security) {
    this.#world = world
    this.#security = security
  }

  *between(from: Instant, to: Instant): Generator<readonly TapeMessage[]> {
    if (!(from < to)) return
    for (let session = sessionOnOrAfter(easternDate(from)); session <= lastSession; session++) {
      const { open, close } = sessionHours(sessions[session])!
      if (open >= to) return
      const since = (time: Instant) => (Math.min(time, close) - open) / MILLISECONDS_PER_MINUTE
      const end = Math.ceil(since(to))
      for (let minute = Math.max(0, Math.floor(since(from))); minute < end; minute++) {
        const start = open + minute * MILLISECONDS_PER_MINUTE
        const parts = this.#minutesOf(session, minute, end - minute).map((part) =>
          messagesIn(part, from - start, to - start)
        )
        const batch = parts.reduce(merged)
        if (batch.length > 0) yield batch
      }
    }
  }

  #minutesOf(session: number, minute: number, ahead: number): readonly MinuteTape[] {
    if (session !== this.#session) {
      const shares = shareTape(this.#world, this.#security, session)
      this.#tapes = [optionTape(this.#world, this.#security, session), ...(shares === undefined ? [] : [shares])]
      this.#session = session
      this.#minute = -1
    }
    if (minute !== this.#minute) {
      this.#parts = this.#tapes.map((tape) => tape.minute(minute, ahead))
      this.#minute = minute
    }
    return this.#parts
  }
}

function messagesIn(tape: MinuteTape, from: number, to: number): TapeMessage[] {
  const messages: TapeMessage[] = []
  const end = firstFrom(tape, to)
  for (let at = firstFrom(tape, from); at < end; at++) messages.push(tape.message(at))
  return messages
}

function firstFrom({ length, time }: MinuteTape, milliseconds: number): number {
  const wanted = milliseconds * MICROSECONDS_PER_MILLISECOND
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (time[middle] < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** Merges two lists by time. At equal times the first list comes first. */
function merged(first: TapeMessage[], second: TapeMessage[]): TapeMessage[] {
  const all: TapeMessage[] = []
  let at = 0
  for (const message of second) {
    while (at < first.length && timeOf(first[at]) <= timeOf(message)) all.push(first[at++])
    all.push(message)
  }
  while (at < first.length) all.push(first[at++])
  return all
}

function timeOf(message: TapeMessage): Instant {
  return 'print' in message ? message.print.time : 'cancel' in message ? message.cancel.time : message.quote.time
}
