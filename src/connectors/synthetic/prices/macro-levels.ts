import type { DailyBar } from '../../../market/bar.ts'
import { type MacroSeriesName, macroSeries, seriesBar } from '../../../market/macro-series.ts'
import type { Ticker } from '../../../market/units.ts'
import { drift, keyOf } from '../../../math/random.ts'
import { sessions } from '../market-sessions.ts'
import { type Security, securityOf } from '../securities/securities.ts'
import { driversOf, once, type World } from '../world.ts'
import type { FactorSessions } from './factor.ts'
import { closesOf } from './price-path.ts'

type Series = Float64Array

/**
 * Long-run level of the 10-year yield, percent. `DURATION` is the percentage that bonds lose when the yield rises by
 * one point.
 */
const USUAL_YIELD = 4.2
const DURATION = 16
/** Ordinary difference between the 10-year yield and the policy rate, percentage points. */
const TERM_PREMIUM = 0.35
/** Sessions between two meetings of the central bank: eight a year. */
const MEETING = 31
const STEP = 0.25
/** Number of past sessions over which the central bank averages yields. */
const MEMORY = 180
const USUAL_SPREAD = 3.3
const USUAL_MOVE = 92

/**
 * Daily values of a macro series, derived from the factors that move securities. Yields rise when bond funds fall. The
 * policy rate follows yields in steps. When the VIX is high, credit spreads widen and sentiment falls. Undefined for
 * any other symbol.
 */
export function seriesOf(world: World, symbol: Ticker): Series | undefined {
  const name = Object.keys(makers).find((name) => macroSeries[name as MacroSeriesName].symbol === symbol)
  return name === undefined ? undefined : madeSeries(world, name as MacroSeriesName)
}

export function seriesBarOf(series: Series, n: number): DailyBar {
  return seriesBar(sessions[n], series[n])
}

const makers: Readonly<Record<MacroSeriesName, (world: World) => Series>> = {
  tenYear: (world) => {
    const { close } = ratesPath(world)
    return close.map((level) => rounded(Math.max(0.4, USUAL_YIELD - (100 * level) / DURATION), 2))
  },
  fedFunds: policyRate,
  highYieldSpread: (world) => {
    const { slow, fast } = marketPath(world)
    const key = keyOf(world.seed, 'credit')
    return Float64Array.from(sessions, (_, n) =>
      rounded(USUAL_SPREAD * Math.exp(0.32 * slow[n] + 0.05 * fast[n] + 0.08 * drift(key, n / 40)), 2)
    )
  },
  move: (world) => {
    const [rates, market] = [ratesPath(world), marketPath(world)]
    return Float64Array.from(sessions, (_, n) =>
      rounded(USUAL_MOVE * Math.exp(0.4 * rates.slow[n] + 0.3 * rates.fast[n] + 0.15 * market.slow[n]), 2)
    )
  },
  fearAndGreed: mood
}

function madeSeries(world: World, name: MacroSeriesName): Series {
  return once(world, `series ${name}`, () => makers[name](world))
}

/**
 * The effective policy rate, percent: 0.08 above the central bank's target. At each meeting the target moves towards
 * recent yields, by at most two steps.
 */
function policyRate(world: World): Series {
  const yields = madeSeries(world, 'tenYear')
  let lately = yields[0]
  let target = stepOf(lately - TERM_PREMIUM)
  return yields.map((percent, n) => {
    lately += (percent - lately) / MEMORY
    if (n % MEETING === MEETING - 1) {
      const wanted = stepOf(lately - TERM_PREMIUM)
      target += Math.max(-2 * STEP, Math.min(2 * STEP, wanted - target))
    }
    return rounded(target + 0.08, 2)
  })
}

function stepOf(percent: number): number {
  return Math.max(0, STEP * Math.round(percent / STEP))
}

/**
 * Market sentiment, 1 to 99. It rises when prices are above their average of 125 sessions. It falls when volatility and
 * the credit spread are above their averages of 50 sessions. Each difference is divided by its usual size and capped.
 */
function mood(world: World): Series {
  const prices = closesOf(world, known('SPX')).map(Math.log)
  const { slow, fast } = marketPath(world)
  const volatility = Float64Array.from(slow, (log, n) => (log + fast[n]) / 2)
  const credit = madeSeries(world, 'highYieldSpread').map(Math.log)
  const [momentum, calm, ease] = [aboveAverage(prices, 125), aboveAverage(volatility, 50), aboveAverage(credit, 50)]
  return Float64Array.from(sessions, (_, n) => {
    const sum = cut(momentum[n] / 0.06) - cut(calm[n] / 0.25) - cut(ease[n] / 0.12)
    return rounded(Math.max(1, Math.min(99, 52 + 12 * sum)), 1)
  })
}

function aboveAverage(values: Float64Array, length: number): Float64Array {
  let sum = 0
  return values.map((value, n) => {
    sum += value - (n < length ? 0 : values[n - length])
    return value - sum / Math.min(n + 1, length)
  })
}

function marketPath(world: World): FactorSessions {
  return driversOf(world, known('SPX')).exposures[0].path.around(0)
}

/** The factor that all long bonds share. In a bond fund's list of factors it comes second, after the market. */
function ratesPath(world: World): FactorSessions {
  return driversOf(world, known('TLT')).exposures[1].path.around(0)
}

function known(symbol: string): Security {
  return securityOf(symbol)!
}

function cut(deviations: number): number {
  return Math.max(-1.3, Math.min(1.3, deviations))
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
