import { latestSession } from '../market/calendar.ts'
import type { Chain } from '../market/chain.ts'
import { isLive, isMarketOpen } from '../market/clock.ts'
import { easternDate } from '../market/eastern.ts'
import { type ParityValue, parityValues } from '../market/implied-spot.ts'
import { eachShared } from '../market/shared-contracts.ts'
import { MILLISECONDS_PER_MINUTE } from '../market/units.ts'
import { type Candidate, type Check, doubted, type Objection } from './candidate.ts'

/** Maximum fraction of the contracts with open interest or volume that may have unusable quotes. */
const MAX_UNUSABLE = 0.2
/** Maximum fraction of the contracts whose bid may exceed their ask. */
const MAX_CROSSED = 0.1
/**
 * Minimum fraction of the held chain's two-sided quotes that must remain while the market is open. The recorded chains
 * of SPY and SPX have two sides on 94 to 98 % of their live contracts, whatever the day.
 */
const MIN_TWO_SIDED = 0.6
/**
 * Largest factor between the prices of options at the money and those of the held chain. A crash doubles them within a
 * session; reports halve them.
 */
const MAX_SCALE = 4
/**
 * Spread at the money, as a fraction of the price, from which spreads are too wide if they also are many times those of the
 * held chain: as if all offers were those of another contract.
 */
const WIDE = 0.25
const MAX_WIDER = 8
/** Distance of strikes from spot within which spreads are compared, and the number of quotes that it takes. */
const NEAR_SPOT = 0.05
const ENOUGH_NEAR = 20
const A_DAY = 1 / 365
/** Two-sided quotes from which a loss of them is judged. */
const ENOUGH = 50
/** Traded contracts of one expiration from which it is judged alone, and how long after the opening quotes may come. */
const ENOUGH_OF_ONE = 20
const MAY_OPEN_LATE = 5 * MILLISECONDS_PER_MINUTE
/** Largest slope of the parity values of an expiration, see `ParityValue`. */
const MAX_SLOPE = 0.5

/**
 * Doubts a chain if too many quotes are unusable, crossed, or one-sided where the held chain had two sides. While the
 * market is closed, contracts without a quote are normal.
 */
export const quotes: Check = (candidate) => {
  const { chain, held } = candidate
  const counts = countsOf(candidate)
  const { contracts, crossed, liquid, unusable, twoSided } = counts
  if (unusable > MAX_UNUSABLE * liquid) {
    return doubted('unusable_quotes', `${unusable} of its ${liquid} traded contracts have no usable quote`)
  }
  if (crossed > MAX_CROSSED * contracts) {
    return doubted('unusable_quotes', `${crossed} of its ${contracts} contracts are bid above their offer`)
  }
  const slanted = parityValues(chain).find(({ slope }) => Math.abs(slope) > MAX_SLOPE)
  if (slanted !== undefined) {
    return doubted('unusable_quotes', `calls and puts of its expiration ${slanted.expiration} contradict each other`)
  }
  if (!isMarketOpen(chain.asOf)) return undefined
  const empty = expirationWithoutQuotes(chain)
  if (empty !== undefined) return doubted('unusable_quotes', `its expiration ${empty} has no quotes`)
  if (twoSided === 0 && counts.quoted >= ENOUGH) {
    return doubted('unusable_quotes', `none of its ${counts.quoted} quoted contracts has both a bid and an offer`)
  }
  return held && againstHeld(chain, held)
}

function againstHeld(chain: Chain, held: Chain): Objection | undefined {
  if (isMarketOpen(held.asOf) && held.source === chain.source) {
    const { before, after } = sidesKept(held, chain)
    if (before >= ENOUGH && after < MIN_TWO_SIDED * before) {
      return doubted('unusable_quotes', `${after} of ${before} contracts with a bid and an offer have them still`)
    }
  }
  const [usual, spread] = [spreadOf(held), spreadOf(chain)]
  if (spread >= WIDE && spread > MAX_WIDER * usual) {
    const times = (spread / usual).toPrecision(2)
    return doubted('unusable_quotes', `bid and offer of its options lie ${times} times as far apart as they did`)
  }
  const scale = scaleOf(held, chain)
  if (scale === undefined || (scale < MAX_SCALE && scale > 1 / MAX_SCALE)) return undefined
  return doubted('unusable_quotes', `its options cost ${scale.toPrecision(2)} times what they did`)
}

/**
 * How many times as dear options at the money are as in the held chain: their straddle against spot and the root of time,
 * at the farthest of the near expirations that both have. Undefined if none is a day away.
 */
function scaleOf(held: Chain, chain: Chain): number | undefined {
  const before = new Map(parityValues(held).map((value) => [value.expiration, value]))
  const value = parityValues(chain).findLast(({ expiration, years }) => years > A_DAY && before.has(expiration))
  if (value === undefined) return undefined
  const dearness = ({ straddle, value: spot, years }: ParityValue) => straddle / spot / Math.sqrt(years)
  return dearness(value) / dearness(before.get(value.expiration)!)
}

/** Median spread of two-sided quotes near the money, a fraction of the price; NaN if there are few a day or more ahead. */
function spreadOf({ asOf, spot, strike, bid, ask, expirations }: Chain): number {
  const spreads: number[] = []
  for (const { date, start, end } of expirations) {
    if (date <= easternDate(asOf)) continue
    for (let i = start; i < end; i++) {
      if (!(bid[i] > 0 && ask[i] >= bid[i]) || Math.abs(strike[i] / spot - 1) > NEAR_SPOT) continue
      spreads.push((ask[i] - bid[i]) / ((ask[i] + bid[i]) / 2))
    }
  }
  return spreads.length < ENOUGH_NEAR ? Number.NaN : spreads.sort((a, b) => a - b)[spreads.length >> 1]
}

/** A live expiration of which no traded contract has a usable quote; undefined soon after the opening. */
function expirationWithoutQuotes({ asOf, expirations, bid, ask, openInterest, volume }: Chain): string | undefined {
  if (asOf - latestSession(asOf).open < MAY_OPEN_LATE) return undefined
  for (const { date, settlement, start, end } of expirations) {
    if (!isLive(asOf, date, settlement)) continue
    let [traded, usable] = [0, 0]
    for (let i = start; i < end; i++) {
      if (openInterest[i] > 0 || volume[i] > 0) traded++
      if (bid[i] > 0 || ask[i] > 0) usable++
    }
    if (traded >= ENOUGH_OF_ONE && usable === 0) return date
  }
  return undefined
}

function countsOf({ chain, reading }: Candidate) {
  const { bid, ask, openInterest, volume } = chain
  const isOpen = isMarketOpen(chain.asOf)
  const lost = reading?.unusableLiquid ?? 0
  const counts = { contracts: 0, crossed: 0, liquid: lost, unusable: lost, twoSided: 0, quoted: 0 }
  for (const { date, settlement, start, end } of chain.expirations) {
    if (!isLive(chain.asOf, date, settlement)) continue
    counts.contracts += end - start
    for (let i = start; i < end; i++) {
      if (ask[i] > 0 || bid[i] > 0) counts.quoted++
      if (ask[i] > 0 && bid[i] > ask[i]) counts.crossed++
      else if (ask[i] > 0 && bid[i] > 0) counts.twoSided++
      if (!(openInterest[i] > 0 || volume[i] > 0)) continue
      counts.liquid++
      if (isOpen && !(bid[i] > 0 || ask[i] > 0)) counts.unusable++
    }
  }
  if (counts.liquid > 0 || reading === undefined) return counts
  return { ...counts, liquid: counts.contracts + reading.unusable, unusable: reading.unusable }
}

/** Numbers of the live contracts in both chains that have two sides: in the held chain, and of those in the other. */
function sidesKept(held: Chain, chain: Chain): { readonly before: number; readonly after: number } {
  let [before, after] = [0, 0]
  eachShared(held, chain, (i, k) => {
    if (!isTwoSided(held, i)) return
    before++
    if (isTwoSided(chain, k)) after++
  })
  return { before, after }
}

const isTwoSided = ({ bid, ask }: Chain, i: number) => bid[i] > 0 && ask[i] >= bid[i]
