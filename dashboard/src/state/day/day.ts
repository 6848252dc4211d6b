import { computed, effect, signal } from '@preact/signals'
import { turn } from '../page/address.ts'
import { figures } from '../service/figures.ts'
import { PAGE, type Subject } from '../service/question.ts'
import { momentOf, newYork } from './time.ts'

/** The last price from the stream; undefined without one. */
export const tick = signal<{ readonly symbol: string; readonly price: number; readonly moment: number }>()

/** The session of a subject. */
export type Day = ReturnType<typeof dayAt>

/** The session of a subject, its price and the time of its data. */
export function dayAt(subject: Subject) {
  const { place, at } = subject
  /** The trading session that is shown: its hours, its price, the time of its data. */
  const session = figures('/v1/market/session/{symbol}', { params: ({ symbol }) => ({ symbol }) }, subject)

  /** Set while the service does not know the symbol or, in replay, never recorded it. */
  const unknownSymbol = computed(() => {
    const code = session.trouble.value?.code
    const isUnknown = code === 'symbol_not_found' || code === 'no_coverage'
    return isUnknown ? { symbol: place.value.symbol, isReplay: at.value !== undefined } : undefined
  })

  /** Set while nothing is recorded at the chosen moment; older figures of the symbol stay on the page. */
  const gap = computed(() => {
    const moment = at.value
    const isGap = moment !== undefined && session.trouble.value?.code === 'no_data'
    return isGap ? { symbol: place.value.symbol, moment } : undefined
  })

  const newest = computed(() => {
    const last = tick.value
    const answer = session.answer.value
    const isLive = at.value === undefined && last !== undefined && last.symbol === place.value.symbol
    if (isLive && (answer === undefined || last.moment >= Date.parse(answer.as_of))) return last
    return undefined
  })

  const spot = computed(() => newest.value?.price ?? session.answer.value?.underlying_price ?? undefined)

  /** Time of the data in milliseconds, never the reader's clock. */
  const moment = computed(() => {
    const latest = newest.value?.moment
    if (latest !== undefined) return latest
    const asOf = session.answer.value?.as_of
    return asOf === undefined ? undefined : Date.parse(asOf)
  })

  /** Time of the newest figures, milliseconds: outside a session that of the last close, unless prices go on streaming. */
  const figuresAt = computed(() => {
    const now = moment.value
    const { status, last_close: close } = session.answer.value ?? {}
    const isOver = newest.value === undefined && status !== undefined && status !== 'open'
    return now === undefined || close === undefined || !isOver ? now : Math.min(now, Date.parse(close))
  })

  /** The last moment that may be drawn, milliseconds. A replay shows nothing later than its own moment. */
  const horizon = computed(() => (at.value === undefined ? Number.POSITIVE_INFINITY : momentOf(at.value)))

  /** The session of the page. Its date and hours are those of all symbols, so they stay while the next answer is on its way. */
  const sessionShown = computed(() => {
    const held = session.held.value
    if (session.answer.value !== undefined || held === undefined) return session.answer.value
    const isOfDay = at.value === undefined ? held.stamp.at === 'live' : held.answer.date === at.value.slice(0, 10)
    return isOfDay ? held.answer : undefined
  })

  /** Date of the session in New York. A signal of its own, so that new prices do not count as a new day. */
  const date = computed(() => sessionShown.value?.date)

  const openText = computed(() => sessionShown.value?.open)
  const closeText = computed(() => sessionShown.value?.close)
  /** Open and close of the session, milliseconds. */
  const hours = computed(() => {
    const [open, close] = [openText.value, closeText.value]
    return open === undefined || close === undefined ? undefined : { open: Date.parse(open), close: Date.parse(close) }
  })

  /** Change since the previous close; undefined if that close is unknown. */
  const change = computed(() => {
    const before = session.answer.value?.previous_close
    const now = spot.value
    if (before === null || before === undefined || now === undefined) return undefined
    return { dollars: now - before, percent: (now / before - 1) * 100 }
  })
  return { session, unknownSymbol, gap, spot, moment, figuresAt, horizon, date, hours, change }
}

/** The session of the page. Every screen uses it. */
export const page = dayAt(PAGE)
export const { session, unknownSymbol, gap, spot, moment, figuresAt, horizon, date, hours, change } = page

const letters = (symbol: string) => symbol.replaceAll(/[^A-Z0-9]/g, '')

/**
 * Puts the spelling of the service into the address, BRK.B for BRK-B: the stream and lists of symbols have that one. An answer about
 * another symbol changes nothing.
 */
export function followSpelling(): void {
  effect(() => {
    const spelled = session.answer.value?.symbol
    const typed = PAGE.place.value.symbol
    if (spelled !== undefined && spelled !== typed && letters(spelled) === letters(typed)) turn({ symbol: spelled })
  })
}

/** Whether an answer up to `asOf` covers its day as far as `wall`, a time in New York. */
export function reaches(asOf: string, wall: string | undefined): boolean {
  return (
    wall !== undefined &&
    newYork(Date.parse(asOf)).slice(0, 10) === wall.slice(0, 10) &&
    Date.parse(asOf) >= momentOf(wall)
  )
}
