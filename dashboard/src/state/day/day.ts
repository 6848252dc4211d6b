import { computed, signal } from '@preact/signals'
import { at, place } from '../page/address.ts'
import { figures } from '../service/figures.ts'
import { momentOf, newYork } from './time.ts'

/** The session that is looked at: its hours, its price and the moment of the figures. Every screen needs them. */
export const session = figures('/v1/market/session/{symbol}', { params: ({ symbol }) => ({ symbol }) })

/** A symbol that the service does not know or, in replay, that nothing was ever recorded of. */
export const stranger = computed(() => {
  const code = session.trouble.value?.code
  const isUnknown = code === 'symbol_not_found' || code === 'no_coverage'
  return isUnknown ? { symbol: place.value.symbol, isReplay: at.value !== undefined } : undefined
})

/** A past moment that the symbol, which is recorded at others, was not recorded at. What is shown is of another one. */
export const gap = computed(() => {
  const moment = at.value
  const isGap = moment !== undefined && session.trouble.value?.code === 'no_data'
  return isGap ? { symbol: place.value.symbol, moment } : undefined
})

/** What the stream said last of the price; undefined without one. */
export const tick = signal<{ readonly symbol: string; readonly price: number; readonly moment: number }>()

const newest = computed(() => {
  const said = tick.value
  const answer = session.answer.value
  const isLive = at.value === undefined && said !== undefined && said.symbol === place.value.symbol
  if (isLive && (answer === undefined || said.moment >= Date.parse(answer.as_of))) return said
  return undefined
})

/** The price of the underlying at the moment shown. */
export const spot = computed(() => newest.value?.price ?? session.answer.value?.underlying_price ?? undefined)

/** The moment of the data, milliseconds: its own clock, never that of the reader. */
export const moment = computed(() => {
  const said = newest.value?.moment
  if (said !== undefined) return said
  const asOf = session.answer.value?.as_of
  return asOf === undefined ? undefined : Date.parse(asOf)
})

/** The last moment that may be drawn, milliseconds: nothing of a replay is later than its moment. */
export const horizon = computed(() => (at.value === undefined ? Number.POSITIVE_INFINITY : momentOf(at.value)))

/** The date of the session in New York. Alone, so that a new second is no new day. */
export const date = computed(() => session.answer.value?.date)

const openText = computed(() => session.answer.value?.open)
const closeText = computed(() => session.answer.value?.close)
/** Open and close of the session, milliseconds. */
export const hours = computed(() => {
  const [open, close] = [openText.value, closeText.value]
  return open === undefined || close === undefined ? undefined : { open: Date.parse(open), close: Date.parse(close) }
})

/** Change of the price since the close before; undefined where nothing is held of it. */
export const change = computed(() => {
  const before = session.answer.value?.previous_close
  const now = spot.value
  if (before === null || before === undefined || now === undefined) return undefined
  return { dollars: now - before, percent: (now / before - 1) * 100 }
})

/** Whether an answer that ends at `asOf` says all of the day up to a moment in New York. */
export function reaches(asOf: string, wall: string | undefined): boolean {
  return (
    wall !== undefined &&
    newYork(Date.parse(asOf)).slice(0, 10) === wall.slice(0, 10) &&
    Date.parse(asOf) >= momentOf(wall)
  )
}
