import { computed, signal } from '@preact/signals'
import { newYork } from '../day/time.ts'
import { at, place } from '../page/address.ts'
import { figures } from '../service/figures.ts'

/** The longest stretch that is drawn; shorter ones are cut out of it. */
const YEAR = 365

export const premium = figures('/v1/vrp/{symbol}', { params: ({ symbol }) => ({ symbol }), isMain: true })
export const history = figures('/v1/vrp/{symbol}/history', {
  params: ({ symbol }) => ({ symbol, days: YEAR }),
  isDaily: true
})
export const estimates = figures('/v1/volatility/realized/{symbol}', {
  params: ({ symbol }) => ({ symbol }),
  isDaily: true
})
export const forecast = figures('/v1/volatility/forecast/{symbol}', {
  params: ({ symbol }) => ({ symbol }),
  isDaily: true
})
export const correlation = figures('/v1/volatility/spot-vol-correlation/{symbol}', {
  params: ({ symbol }) => ({ symbol }),
  isDaily: true
})
export const liquidity = figures('/v1/liquidity/{symbol}', { params: ({ symbol }) => ({ symbol }) })

/** Default basket that an index is compared with: the largest companies of the broad indices. */
const LARGEST = ['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'META', 'TSLA']
const basketText = computed(() => place.value.basket ?? LARGEST.filter((each) => each !== place.value.symbol).join())
export const basket = basketText

export const dispersion = figures('/v1/dispersion', {
  params: ({ symbol }) => ({ index: symbol, symbols: basketText.value }),
  isDaily: true
})

export const all = [premium, history, estimates, forecast, correlation, liquidity, dispersion] as const

/** The risk premium of one day, percent and points. */
export interface Day {
  readonly date: string
  readonly implied: number | null
  readonly realized: number | null
  readonly difference: number | null
}

/** The days up to the shown moment, and the present if it is newer than the last record. */
export const days = computed((): readonly Day[] => {
  const { symbol } = place.value
  const recorded = history.answer.value
  if (recorded?.symbol !== symbol) return []
  const last = at.value?.slice(0, 10) ?? '9999-12-31'
  const past = recorded.history.flatMap(({ date, atm_iv: implied, rv_20d: realized, vrp_20d: difference }) =>
    date > last ? [] : [{ date, implied, realized, difference }]
  )
  const now = premium.answer.value
  const date = now === undefined ? '' : newYork(Date.parse(now.as_of)).slice(0, 10)
  const isNewer = now?.symbol === symbol && date > (past.at(-1)?.date ?? '') && date <= last
  const { atm_iv: implied, rv_20d: realized, vrp_20d: difference } = now?.vrp ?? {}
  const present = { date, implied: implied ?? null, realized: realized ?? null, difference: difference ?? null }
  const all = isNewer ? [...past, present] : past
  const first = epochDay(all.at(-1)?.date ?? '') - Number(place.value.days)
  return all.filter((each) => epochDay(each.date) >= first)
})

/** Index of the day under the pointer. */
export const pointed = signal<number>()

const DAY = 86_400_000

/** Days since 1970. */
export function epochDay(date: string): number {
  return Math.floor(Date.parse(date) / DAY)
}

export function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}
