import { computed, signal } from '@preact/signals'
import { moment, session } from '../day/day.ts'
import { newYork } from '../day/time.ts'
import { place } from '../page/address.ts'
import { figures } from '../service/figures.ts'
import { quotesOf } from './smile-slice.ts'

/** Milliseconds between requests of the surface and its quotes. */
const EVERY = 15_000

export const surface = figures('/v1/adv_volatility/{symbol}', {
  params: ({ symbol }) => ({ symbol }),
  isMain: true,
  every: EVERY
})
export const skew = figures('/v1/volatility/skew-term/{symbol}', { params: ({ symbol }) => ({ symbol }) })
export const realized = figures('/v1/volatility/{symbol}', { params: ({ symbol }) => ({ symbol }) })
export const premium = figures('/v1/vrp/{symbol}', { params: ({ symbol }) => ({ symbol }) })
export const forecast = figures('/v1/volatility/forecast/{symbol}', { params: ({ symbol }) => ({ symbol }) })
export const moves = figures('/v1/expected-move/{symbol}', { params: ({ symbol }) => ({ symbol }) })
export const vix = figures('/v1/macro/vix-state', { params: () => ({}) })

/** Expirations with a fitted smile, nearest first. */
export const slices = computed(() => surface.answer.value?.svi_parameters ?? [])

/** Days to the default expiration, if the address names none. */
const USUAL = 25
const chosen = computed(
  () =>
    slices.value.find(({ expiry }) => expiry === place.value.expiry) ??
    slices.value.find(({ days_to_expiry }) => days_to_expiry >= USUAL) ??
    slices.value[0]
)
export const slice = chosen
/** A signal of its own, so that a new fit does not count as a new expiration. */
const expiry = computed(() => chosen.value?.expiry)
export const sliceDate = expiry

/** The last at-the-money volatility from the stream, percent; fits arrive less often. */
export const atmNow = signal<{ readonly symbol: string; readonly expiry: string; readonly value: number }>()

/** At-the-money volatility of the shown expiration, percent. */
export const atTheMoney = computed(() => {
  const live = atmNow.value
  const isOfIt = place.value.at === undefined && live?.symbol === place.value.symbol && live.expiry === expiry.value
  return isOfIt ? live.value : chosen.value?.atm_iv
})

export const quotes = figures('/optionquote/{ticker}', {
  params: ({ symbol }) => (expiry.value === undefined ? undefined : { ticker: symbol, expiry: expiry.value }),
  every: EVERY
})

/** Out-of-the-money quotes of the shown expiration. */
export const dots = computed(() => {
  const rows = quotes.answer.value
  const at = chosen.value
  if (rows === undefined || at === undefined) return []
  const first = Array.isArray(rows) ? rows[0] : rows
  return first?.expiry === at.expiry ? quotesOf(rows, at.forward) : []
})

const before = computed(() => (place.value.compare ? session.answer.value?.previous_date : undefined))
const minute = computed(() => (moment.value === undefined ? undefined : newYork(moment.value).slice(11, 16)))

/** The surface of the previous session at the same time of day. */
export const previousSurface = figures('/v1/adv_volatility/{symbol}', {
  params: ({ symbol }) => (before.value === undefined ? undefined : { symbol }),
  at: () => `${before.value}T${minute.peek() ?? '16:00'}:00`
})
export const previousSlice = computed(() =>
  before.value === undefined
    ? undefined
    : previousSurface.answer.value?.svi_parameters.find((each) => each.expiry === expiry.value)
)

export const all = [surface, quotes, skew, realized, premium, forecast, moves, vix, previousSurface] as const
