import { daysBetween } from '../../../market/calendar.ts'
import { CALL } from '../../../market/chain.ts'
import { drift, keyOf, uniform } from '../../../math/random.ts'
import { type ContractListing, type SyntheticSeries, seriesKeyOf } from '../listing/contract-listing.ts'
import { roundness } from '../listing/strike-ladder.ts'
import { sessions } from '../market-sessions.ts'
import { closesOf } from '../prices/price-path.ts'
import type { Security } from '../securities/securities.ts'
import type { World } from '../world.ts'

/** Open interest of each kind of expiration, relative to a monthly one of the quarterly cycle. */
const termWeights = { monthly: 0.55, 'month-end': 0.16, weekly: 0.13, daily: 0.09 } as const

/** Number of sessions after which two thirds of a contract's long-held positions exist. */
const BUILD_UP = 25
/** Age in sessions assumed for contracts that are listed on the first session of the market. */
const OLD = 90
/** Days before expiration from which short-dated positions are opened. */
const LAST_STRETCH = 40
/** Days before expiration from which most short-dated positions are opened. */
const LAST_DAYS = 4
/** Weight of positions at the money. The next two weights are added far in and far out of the money. */
const AT_THE_MONEY = 0.09
const DEEP_IN_THE_MONEY = 0.4
const OUT_OF_THE_MONEY = 1.4

/**
 * Open interest of a listing's contracts, as published on the morning of a session for the evening before. It depends
 * only on closes up to two sessions before, so that a day's trading can be derived from the change of open interest. A
 * contract has more if its strike is round. Puts below and calls above the prices since the listing have more, too. In
 * the last weeks, short-dated traders add positions around the money, but few in the money. Open interest grows with
 * the age of the strike and varies at random. Indexes and funds have more in puts than in calls.
 */
export function morningOpenInterest(
  world: World,
  security: Security,
  listing: ContractListing,
  session: number
): Int32Array {
  const openInterest = new Int32Array(listing.size)
  const closes = closesOf(world, security)
  const usual = cycleWeight(security) * (security.optionVolume / 1000) ** 0.8
  const lean = 0.14 * drift(keyOf(world.seed, 'lean', security.returnsOf), session / 18)
  const company = security.kind === 'equity'
  const taste = [(company ? 1.06 : 1) * Math.exp(lean), (company ? 0.94 : 1.2) * Math.exp(-lean)]
  for (const series of listing.series) {
    const days = daysBetween(sessions[session], series.date)
    const key = seriesKeyOf(world, security, series)
    const seen = pricesSeen(closes, series.firstSession, session - 2)
    const wide = Math.max(0.02, security.volatility * Math.sqrt(Math.min(series.window, 500) / 730))
    const near = Math.max(0.012, security.volatility * Math.sqrt(18 / 365))
    const stretch = Math.max(0, 1 - days / LAST_STRETCH) + 1.5 * Math.max(0, 1 - days / LAST_DAYS)
    const scale = usual * seriesWeight(series) * Math.exp(0.25 * drift(key, 0))
    const restless = 0.05 + 0.12 * Math.exp(-days / 8)
    for (let call = series.start; call < series.end; call += 2) {
      const since = listing.listedOn[call >> 1]
      const age = since === 0 ? session + OLD : session - since // contracts of the first session were listed before it
      if (age <= 0) continue
      const strike = listing.strike[call >> 1]
      const builtUp = 0.75 * (1 - Math.exp(-age / BUILD_UP))
      const rushed = 0.5 * stretch * (1 - Math.exp(-age / 3))
      const round = (20 * roundness(strike, seen.latest)) ** 0.85
      for (let side = 0; side < 2; side++) {
        const patient = builtUp * patientShare(side, strike, seen, wide)
        const hasty = rushed === 0 ? 0 : rushed * hastyShare(side, strike, seen.latest, near)
        const beyond = ((side === CALL ? 1 : -1) * (strike / seen.lately - 1)) / near
        const held = scale * round * (patient + hasty) * moneyShare(beyond) * taste[side]
        if (held < 0.05) continue
        const own = listing.key[call + side]
        const wander = 0.25 * drift(own, session / 16 + uniform(own, -1)) + restless * drift(own + 1, session / 2)
        openInterest[call + side] = held * Math.exp(wander + 0.75 * drift(own, -7))
      }
    }
  }
  return openInterest
}

/**
 * Density of long-held positions at a strike: highest in puts below and calls above all prices so far. `wide` is the
 * relative width of the distribution for this expiration.
 */
function patientShare(side: number, strike: number, { low, high }: PricesSeen, wide: number): number {
  const held =
    side === CALL
      ? plateau(strike, low * (1 + 0.15 * wide), high * (1 + 0.7 * wide), 0.5 * wide, 0.8 * wide)
      : plateau(strike, low * (1 - 0.9 * wide), high * (1 - 0.2 * wide), 1.1 * wide, 0.45 * wide)
  return held / wide
}

/**
 * Share of positions held in a contract, by its distance from the money. `beyond` is the distance in standard
 * deviations of a few weeks' move: positive out of the money, negative in the money. Positions are opened out of the
 * money. They are closed when they have just come into the money, and partly kept far in the money.
 */
function moneyShare(beyond: number): number {
  const outside = OUT_OF_THE_MONEY / (1 + Math.exp((0.35 - beyond) / 0.15))
  const deep = beyond < 0 ? DEEP_IN_THE_MONEY * -Math.expm1(-0.25 * beyond * beyond) : 0
  return AT_THE_MONEY + deep + outside
}

/** Density at a strike of positions that were opened in the last weeks. They cluster around the latest price. */
function hastyShare(side: number, strike: number, latest: number, near: number): number {
  const held =
    side === CALL
      ? plateau(strike, latest * (1 + 0.3 * near), latest * (1 + 1.1 * near), 0.5 * near, near)
      : plateau(strike, latest * (1 - 1.3 * near), latest * (1 - 0.35 * near), 1.2 * near, 0.5 * near)
  return held / near
}

/** Relative size of open interest per expiration: a security with fewer expirations has more in each. */
function cycleWeight({ cycle }: Security): number {
  return cycle === 'weekly' || cycle === 'monthly' ? 8 : cycle === 'mega' || cycle === 'vix' ? 5 : 2
}

function seriesWeight({ term, date, window }: SyntheticSeries): number {
  const month = Number(date.slice(5, 7))
  const cycle = term === 'monthly' || term === 'month-end' ? (month % 3 === 0 || month === 1 ? 1.8 : 1) : 1
  return termWeights[term] * cycle * (window > 600 ? 1.2 : 1)
}

/**
 * Returns 1 between the prices `from` and `to`, and less outside: it falls with the square and then the cube of the
 * distance. `below` and `above` are the relative widths of the two slopes.
 */
function plateau(strike: number, from: number, to: number, below: number, above: number): number {
  const distance = strike < from ? (from - strike) / (from * below) : strike > to ? (strike - to) / (to * above) : 0
  const square = 1 + distance * distance
  return 1 / (square * Math.sqrt(square))
}

const LATELY = 3

interface PricesSeen {
  readonly low: number
  readonly high: number
  readonly latest: number
  /** Mean of the newest closes, because positions follow the price with a delay of some days. */
  readonly lately: number
}

function pricesSeen(closes: Float64Array, first: number, last: number): PricesSeen {
  const end = Math.max(0, last)
  let low = closes[end]
  let high = low
  for (let n = Math.max(0, Math.min(first - 1, end)); n < end; n++) {
    low = Math.min(low, closes[n])
    high = Math.max(high, closes[n])
  }
  let sum = 0
  let count = 0
  for (let n = Math.max(0, end - LATELY + 1); n <= end; n++, count++) sum += closes[n]
  return { low, high, latest: closes[end], lately: sum / count }
}
