import { buildChain, CALL, type Chain, type ContractRow, PUT } from '../../src/market/chain.ts'
import { type Settlement, yearsToExpiry } from '../../src/market/clock.ts'
import { instantOfEastern } from '../../src/market/eastern.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { scalarGreeks } from './scalar.ts'

/** One expiration of a chain made by hand. Quotes come from Black-Scholes at `sigma`, `spread` USD wide or two cents at most. */
export interface SeriesSketch {
  readonly date: string
  readonly root?: string
  readonly settlement?: Settlement
  readonly strikes: readonly number[]
  readonly rights?: readonly number[]
  readonly sigma?: number | ((strike: number) => number)
  readonly oi?: number | ((strike: number, right: number) => number)
  readonly volume?: number | ((strike: number, right: number) => number)
  readonly spread?: number
  /** Replaces bid and ask of a contract; undefined leaves them as priced. */
  readonly quote?: (strike: number, right: number) => readonly [bid: number, ask: number] | undefined
}

export interface ChainSketch {
  readonly symbol?: string
  readonly date: string
  /** New York time, hh:mm or hh:mm:ss. */
  readonly time: string
  readonly spot: number
  readonly delay?: number
  readonly series: readonly SeriesSketch[]
}

/** The rate and yield that hand-made quotes assume: those a chain is priced with by default. */
export const sketchedRate = 0.045
export const sketchedYield = 0.013

export function eastern(date: string, time: string): number {
  const [hours, minutes, seconds = 0] = time.split(':').map(Number)
  return instantOfEastern(date as IsoDate, 60 * hours + minutes + seconds / 60)
}

/** A raw chain from its sketch. */
export function sketched({ symbol = 'TEST', date, time, spot, delay = 0, series }: ChainSketch): Chain {
  const asOf = eastern(date, time)
  const quote = { bid: spot - 0.01, ask: spot + 0.01, last: spot, time: asOf }
  const rows = series.flatMap((one) => rowsOf(one, symbol, asOf, spot))
  return buildChain({ symbol: symbol as Ticker, asOf, delay, spot, quote }, rows)
}

function rowsOf(sketch: SeriesSketch, symbol: string, asOf: number, spot: number): ContractRow[] {
  const { root = symbol, settlement = 'pm', strikes, rights = [CALL, PUT], sigma = 0.2 } = sketch
  const { oi = 100, volume = 10, quote = () => undefined } = sketch
  const expiration = sketch.date as IsoDate
  const t = yearsToExpiry(asOf, expiration, settlement)
  const figure = (of: number | ((strike: number, right: number) => number), strike: number, right: number) =>
    typeof of === 'number' ? of : of(strike, right)
  return strikes.flatMap((strike) =>
    rights.map((right) => {
      const volatility = typeof sigma === 'number' ? sigma : sigma(strike)
      const terms = { spot, strike, t, rate: sketchedRate, dividendYield: sketchedYield, sigma: volatility }
      const { price } = scalarGreeks({ call: right === CALL, ...terms })
      const spread = sketch.spread ?? Math.min(0.02, 0.2 * price)
      const [bid, ask] = quote(strike, right) ?? [Math.max(0, price - spread / 2), price + spread / 2]
      return {
        root,
        expiration,
        settlement,
        right,
        strike,
        bid,
        ask,
        last: price,
        bidSize: 10,
        askSize: 12,
        volume: figure(volume, strike, right),
        openInterest: figure(oi, strike, right)
      }
    })
  )
}

/** Numbers from, from + step, ..., to. */
export function ladder(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, k) => from + k * step)
}

/** A figure from 0 to `size` - 1 that looks random but is the same every time. */
export function jumbled(strike: number, right: number, size: number): number {
  return Math.abs(Math.round(strike * 7919 + right * 104_729 + ((strike * 31) % 17) * 613)) % size
}
