import { addDays } from '../../../src/market/calendar.ts'
import { CALL, type Chain } from '../../../src/market/chain.ts'
import { yearsToExpiry } from '../../../src/market/clock.ts'
import type { Dividend } from '../../../src/market/dividend.ts'
import type { IsoDate } from '../../../src/market/units.ts'
import {
  dividendsUntil,
  type ProportionalDividend,
  yieldOfDividends
} from '../../../src/pricing/american/dividends/dividend-terms.ts'
import { price } from '../../../src/pricing/bsm.ts'
import { eastern, sketched } from '../../support/hand-made.ts'
import { latticePremium } from './dividend-lattice.ts'

/** A stock at 100 with known dividends, whose options are priced by the lattice. */
export interface DividendSketch {
  readonly time?: string
  /** Days to each ex-date, and USD per share. */
  readonly paid: readonly (readonly [days: number, amount: number])[]
  /** Days to each expiry. */
  readonly expiries: readonly number[]
  readonly strikes: readonly number[]
  readonly sigma: number | ((strike: number) => number)
  readonly borrow?: number
  readonly spread?: number
}

export const chainDate = '2026-07-29' as IsoDate
export const chainRate = 0.045

/** Options as the lattice prices them; the ex-dates fall on its steps to within a ten-thousandth of a day. */
export function latticePrice(
  right: number,
  spot: number,
  strike: number,
  sigma: number,
  terms: { readonly t: number; readonly dividendYield: number; readonly dividends: readonly ProportionalDividend[] },
  least = 801
): number {
  const { t, dividendYield, dividends } = terms
  const steps = bestSteps(
    dividends.map(({ t: exDate }) => exDate / t),
    least
  )
  const premium = latticePremium({ right, rate: chainRate, ...terms }, Math.log(spot / strike), sigma, steps)
  const q = dividendYield + yieldOfDividends(dividends, t)
  const option = {
    right: right === CALL ? ('call' as const) : ('put' as const),
    spot,
    strike,
    t,
    sigma,
    rate: chainRate
  }
  return price({ ...option, dividendYield: q }) + strike * premium
}

/** The odd number of steps from `least` to a half more on which the places, parts of the time, come closest. */
function bestSteps(places: readonly number[], least: number): number {
  const miss = (steps: number) =>
    Math.max(0, ...places.map((place) => Math.abs(place * steps - Math.round(place * steps)) / steps))
  let best = least
  for (let steps = least; steps < 1.5 * least; steps += 2) if (miss(steps) < miss(best)) best = steps
  return best
}

/** The chain, with its schedule. */
export function dividendChain(sketch: DividendSketch): Chain {
  const { time = '11:00', paid, expiries, strikes, sigma, borrow = 0, spread = 0.01 } = sketch
  const asOf = eastern(chainDate, time)
  const dividends = paid.map(
    ([days, amount]): Dividend => ({ exDate: addDays(chainDate, days), amount, knownFrom: asOf - 1 })
  )
  const series = expiries.map((days) => {
    const date = addDays(chainDate, days)
    const terms = {
      t: yearsToExpiry(asOf, date, 'pm') as number,
      dividendYield: borrow,
      dividends: dividendsUntil({ asOf, spot: 100, dividends }, { date, settlement: 'pm' })
    }
    const quote = (strike: number, right: number) => {
      const volatility = typeof sigma === 'number' ? sigma : sigma(strike)
      const value = latticePrice(right, 100, strike, volatility, terms)
      return [Math.max(value - spread / 2, 0), value + spread / 2] as const
    }
    return { date, strikes, quote }
  })
  return { ...sketched({ symbol: 'KO', date: chainDate, time, spot: 100, series }), dividends }
}
