import { computed, effect, signal } from '@preact/signals'
import type { AnswerOf, BodyOf } from 'gammawall/client'
import { date, session } from '../day/day.ts'
import { go, place } from '../page/address.ts'
import { type Leg, legsOf, textOfLegs } from '../page/legs.ts'
import { type Figures, figures } from '../service/figures.ts'
import { posted, REST } from '../service/posted.ts'
import { APART, daysForward, halfOf, nearest, PRICES, spotShocks } from './scenario-axes.ts'

type Rows = AnswerOf<'/optionquote/{ticker}'>
export type OptionQuote = Extract<Rows, readonly unknown[]>[number]

/** A signal of its own, so that other changes of the address do not make new legs. */
const legsText = computed(() => place.value.legs)
export const legs = computed(() => legsOf(legsText.value))

export const setLegs = (next: readonly Leg[]) => go({ legs: textOfLegs(next) })

export const listing = figures('/v1/options/{ticker}', {
  params: ({ symbol }) => ({ ticker: symbol }),
  isDaily: true
})
export const expirations = computed(() => listing.answer.value?.expirations ?? [])
export const strikesOf = (expiry: string) =>
  expirations.value.find(({ expiration }) => expiration === expiry)?.strikes ?? []

/** Days to the default expiration, if neither the address nor the legs name one. */
const USUAL = 25
/** The expiration whose chain is shown. */
export const picked = computed(() => {
  const dates = expirations.value.map(({ expiration }) => expiration)
  const named = [place.value.expiry, legs.value[0]?.expiry].find((each) => each !== undefined && dates.includes(each))
  const today = date.value
  return named ?? dates.find((each) => today !== undefined && daysBetween(today, each) >= USUAL) ?? dates.at(-1)
})

/** Price from answers rather than ticks, so that a structure is not valued four times a second. */
export const underlying = computed(() => session.answer.value?.underlying_price ?? undefined)

const chains = new Map<string, Figures<'/optionquote/{ticker}'>>()

export function chainOf(expiry: string): Figures<'/optionquote/{ticker}'> {
  const held = chains.get(expiry)
  if (held !== undefined) return held
  const made = figures('/optionquote/{ticker}', { params: ({ symbol }) => ({ ticker: symbol, expiry }), isMain: true })
  chains.set(expiry, made)
  return made
}

/** Quotes of an expiration if they are loaded and belong to the shown symbol. */
export function quotesOf(expiry: string | undefined): readonly OptionQuote[] | undefined {
  const rows = expiry === undefined ? undefined : chainOf(expiry).answer.value
  if (rows === undefined) return undefined
  return Array.isArray(rows) ? (rows as readonly OptionQuote[]) : [rows as OptionQuote]
}

/** Expirations whose quotes are needed, as text. */
const needed = computed(() =>
  [...new Set([picked.value, ...legs.value.map(({ expiry }) => expiry)].filter((each) => each !== undefined))]
    .sort()
    .join()
)

/** Requests the quotes of exactly the expirations in `needed`. */
function startChains(): () => void {
  const running = new Map<string, () => void>()
  const stop = effect(() => {
    const wanted = needed.value === '' ? [] : needed.value.split(',')
    for (const [expiry, end] of running)
      if (!wanted.includes(expiry)) {
        end()
        running.delete(expiry)
      }
    for (const expiry of wanted) if (!running.has(expiry)) running.set(expiry, chainOf(expiry).start())
  })
  return () => {
    stop()
    for (const end of running.values()) end()
  }
}

/** A leg with its quote. */
export interface Priced {
  readonly leg: Leg
  /** Undefined while it loads, or if the contract is not listed. */
  readonly quote: OptionQuote | undefined
  readonly isListed: boolean
  /** Volatility of the quote, or of the fitted smile, as a fraction; null without either. */
  readonly volatility: number | null
}

export const priced = computed((): readonly Priced[] =>
  legs.value.map((leg) => {
    const rows = quotesOf(leg.expiry)
    const quote = rows?.find(({ type, strike }) => type === leg.right && strike === leg.strike)
    const isListed = rows === undefined ? chainOf(leg.expiry).trouble.value === undefined : quote !== undefined
    return { leg, quote, isListed, volatility: quote?.implied_vol ?? quote?.svi_vol ?? null }
  })
)

/** The legs as the service takes them; undefined while a leg has no price or no volatility. */
const written = computed(() => {
  const all = priced.value
  if (all.length === 0 || all.some(({ quote, volatility }) => quote === undefined || volatility === null))
    return undefined
  return all.map(({ leg, quote, volatility }) => ({
    action: leg.quantity < 0 ? ('sell' as const) : ('buy' as const),
    type: leg.right === 'C' ? ('call' as const) : ('put' as const),
    strike: leg.strike,
    expiry: leg.expiry,
    premium: quote!.mid,
    impliedVol: volatility!,
    quantity: Math.abs(leg.quantity)
  }))
})

/** Half the price range, percent of spot. */
const half = computed(() => {
  const spot = underlying.value
  if (spot === undefined || legs.value.length === 0) return undefined
  const strikes = legs.value.map(({ strike }) => strike)
  return place.value.range ?? halfOf(strikes, spot)
})

const shock = computed(() => place.value.shock)

/** Days from today to the last expiration of the legs. */
export const lastDay = computed(() => {
  const today = date.value
  return today === undefined ? 0 : Math.max(0, ...legs.value.map(({ expiry }) => daysBetween(today, expiry)))
})

const pnlBody = computed((): BodyOf<'/v1/structures/pnl'> | undefined => {
  const [spot, today, all, width] = [underlying.value, date.value, written.value, half.value]
  if (spot === undefined || today === undefined || all === undefined || width === undefined) return undefined
  return {
    legs: all,
    minUnderlying: spot * (1 - width / 100),
    maxUnderlying: spot * (1 + width / 100),
    points: PRICES,
    scenarios: {
      spot,
      today,
      spotShocksPct: spotShocks(width),
      volShocks: [-APART, 0, APART].map((each) => (shock.value + each) / 100),
      daysForward: daysForward(lastDay.value)
    }
  }
})

/** Profit and loss at expiration, and over prices, days and volatilities before it. */
export const outcome = posted('/v1/structures/pnl', () => pnlBody.value)

export const sums = posted('/v1/structures/greeks', () => {
  const [spot, today, all] = [underlying.value, date.value, written.value]
  if (spot === undefined || today === undefined || all === undefined) return undefined
  return { legs: all.map(({ premium: _, ...leg }) => leg), spot, today }
})

const drift = computed(() => place.value.drift)

/** The first bought leg: position sizes are computed for bought options only. */
export const bought = computed(() => priced.value.find(({ leg }) => leg.quantity > 0))

/**
 * Share of the capital to put into the bought option. It is computed from its parameters alone, so it is the same in
 * replay.
 */
export const kelly = figures('/v1/pricing/kelly', {
  params: () => {
    const [spot, today, option] = [underlying.value, date.value, bought.value]
    if (spot === undefined || today === undefined || option?.quote === undefined) return undefined
    const { leg, quote, volatility } = option
    const dte = daysBetween(today, leg.expiry)
    if (volatility === null || dte <= 0 || !(quote.mid > 0)) return undefined
    const type = leg.right === 'C' ? 'call' : 'put'
    return { spot, strike: leg.strike, dte, sigma: volatility, premium: quote.mid, mu: drift.value / 100, type }
  },
  at: () => undefined,
  isDaily: true,
  rest: REST
})

const ahead = computed(() => place.value.ahead)
/** The grid to draw, with the indices of the chosen day and volatility. */
export const grid = computed(() => {
  const found = outcome.answer.value?.scenario_grid
  if (found === undefined) return undefined
  return { ...found, day: nearest(found.axes.days_forward, ahead.value), shock: 1 }
})

/** Index of the price under the pointer. */
export const pointed = signal<number>()

/** Indices of the map cell under the pointer. */
export const pointedCell = signal<readonly [day: number, price: number]>()

const DAY = 86_400_000

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY)
}

export function start(): () => void {
  const stops = [listing.start(), startChains(), outcome.start(), sums.start(), kelly.start()]
  return () => {
    for (const stop of stops) stop()
  }
}
