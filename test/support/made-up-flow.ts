import { DEFAULT_CONFIDENCE } from '../../src/flow/open-interest/simulator.ts'
import type { Groups, Positions, TapeHeader } from '../../src/flow/tape-views.ts'
import { latestSession, session } from '../../src/market/calendar.ts'
import { CALL, type Chain } from '../../src/market/chain.ts'
import { aggressors, MID, PRICE_UNIT } from '../../src/market/print.ts'
import { type ListedSeries, type Series, SeriesList } from '../../src/market/series.ts'
import type { Instant, IsoDate } from '../../src/market/units.ts'
import { keyOf, uniform } from '../../src/math/random.ts'
import type { Market } from './markets.ts'

/** Header of the views of a made-up option tape for a chain's session. */
export function tapeHeader(chain: Chain, known: Instant | undefined = chain.asOf): TapeHeader {
  const { symbol, asOf } = chain
  const session = latestSession(asOf).date
  return { symbol, kind: 'option', session, source: 'synthetic', unit: PRICE_UNIT, known, version: 1, silent: false }
}

/** The contract of a slot as a print names it. */
export function listedAt(chain: Chain, slot: number, adjusted = false): ListedSeries {
  const { date, root, settlement } = chain.expirations.find(({ end }) => slot < end)!
  return { date, root, settlement, strike: chain.strike[slot], right: chain.right[slot], adjusted }
}

/** Contracts bought and sold of one series. */
export interface Traded {
  readonly series: ListedSeries
  readonly bought: number
  readonly sold: number
}

/** Positions of a tape on which these series printed, in this order. */
export function positionsOf(header: TapeHeader, traded: readonly Traded[], confidence = DEFAULT_CONFIDENCE): Positions {
  const list = new SeriesList()
  const numbers = traded.map(({ series }) => list.numberOf(series))
  const columns = [0, 1, 2].map(() => new Int32Array(list.length))
  const [bought, sold, other] = columns
  numbers.forEach((number, k) => {
    bought[number] = traded[k].bought
    sold[number] = traded[k].sold
  })
  return { ...header, series: list.columns, bought, sold, other, confidence }
}

/**
 * Positions of a made-up session: about every third contract of a chain traded, up to a few thousand contracts each, in
 * an order that differs from the chain's. There are also series that the chain does not list, and an adjusted one with
 * the name of a listed one.
 */
export function madeUpPositions(chain: Chain, seed = 1, known?: Instant): Positions {
  const key = keyOf(seed, chain.symbol)
  const most = (slot: number, j: number) => Math.floor(4000 * uniform(key, slot, j) ** 4)
  const slots = Array.from({ length: chain.size }, (_, slot) => slot)
    .filter((slot) => uniform(key, slot) < 0.35)
    .sort((a, b) => uniform(key, a, 3) - uniform(key, b, 3))
  const traded = slots.map(
    (slot): Traded => ({
      series: listedAt(chain, slot),
      bought: most(slot, 1),
      sold: most(slot, 2)
    })
  )
  const untraded = Array.from(chain.strike, (_, slot) => slot).find((slot) => !slots.includes(slot))
  if (untraded !== undefined) traded.unshift({ series: listedAt(chain, untraded, true), bought: 5000, sold: 0 })
  const first = listedAt(chain, 0)
  const strangers = [
    { ...first, strike: first.strike + 0.123 },
    { ...first, root: `${first.root}1`, adjusted: true },
    { ...first, date: '2031-01-17' as IsoDate, right: CALL }
  ]
  return positionsOf(tapeHeader(chain, known), [
    ...traded.slice(0, 2),
    ...strangers.map((series) => ({ series, bought: 7000, sold: 3 })),
    ...traded.slice(2)
  ])
}

/** The name of a series, as the tests write it. */
export function nameOf(series: Series, k: number): string {
  const { root, date } = series.expirations[series.expiration[k]]
  return `${root} ${date} ${series.strike[k]} ${series.right[k] === CALL ? 'C' : 'P'}`
}

/** One group of prints; contracts by aggressor in the order of `aggressors`. */
export interface Grouped {
  readonly instrument: number
  /** Microseconds. */
  readonly first: number
  readonly last?: number
  readonly sequence: number
  readonly side: number
  readonly prints: number
  /** Price units times contracts. */
  readonly money: number
  readonly sizes: readonly number[]
  readonly oneOrder?: boolean
}

/** The view of these groups. */
export function groupsOf(
  header: TapeHeader,
  series: Series,
  grouped: readonly Grouped[],
  closing?: Groups['closing']
): Groups {
  return {
    ...header,
    series,
    length: grouped.length,
    instrument: Int32Array.from(grouped, ({ instrument }) => instrument),
    first: Float64Array.from(grouped, ({ first }) => first),
    last: Float64Array.from(grouped, ({ first, last = first }) => last),
    sequence: Float64Array.from(grouped, ({ sequence }) => sequence),
    side: Uint8Array.from(grouped, ({ side }) => side),
    prints: Int32Array.from(grouped, ({ prints }) => prints),
    size: Int32Array.from(grouped, ({ sizes }) => sizes.reduce((sum, size) => sum + size, 0)),
    money: Float64Array.from(grouped, ({ money }) => money),
    sizeByAggressor: Int32Array.from(grouped.flatMap(({ sizes }) => sizes)),
    oneOrder: Uint8Array.from(grouped, ({ oneOrder = false }) => (oneOrder ? 1 : 0)),
    ...(closing !== undefined && { closing })
  }
}

/** Groups of the session of these positions, of every kind: a few to most series, at random moments of its hours. */
export function madeUpGroups(positions: Positions, count = 400, seed = 1): Groups {
  const { series, session: date } = positions
  const key = keyOf(seed, positions.symbol, date)
  const draw = (k: number, j: number, most: number) => Math.floor(most * uniform(key, k, j))
  const { open, close } = session(date)!
  const grouped = Array.from({ length: series.length === 0 ? 0 : count }, (_, k): Grouped => {
    const size = 100 + draw(k, 1, 10) ** 4
    const sizes = aggressors.map(() => 0)
    sizes[draw(k, 2, 5)] = size - 60
    sizes[draw(k, 3, 5)] += 60
    const side = draw(k, 8, 3)
    const prints = side === MID ? 1 : 1 + draw(k, 4, 5)
    return {
      instrument: draw(k, 5, series.length),
      first: 1000 * (open + draw(k, 6, close - open)) + draw(k, 7, 1000),
      sequence: k,
      side,
      prints,
      money: size * (1 + draw(k, 9, 300) ** 2),
      sizes,
      oneOrder: draw(k, 10, 3) === 0
    }
  })
  return groupsOf(
    positions,
    series,
    grouped.sort((a, b) => a.first - b.first)
  )
}

/** A market with a made-up tape of its session and that tape's groups. */
export function traded(market: Market, seed = 1): Market {
  const positions = madeUpPositions(market.chain, seed)
  return { ...market, positions, groups: [madeUpGroups(positions, 400, seed)] }
}
