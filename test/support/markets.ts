import { join } from 'node:path'
import { createCboeFiles } from '../../src/connectors/cboe/cboe-files.ts'
import { createSynthetic } from '../../src/connectors/synthetic/synthetic-connector.ts'
import type { Groups, Positions } from '../../src/flow/tape-views.ts'
import type { SymbolBandErrors } from '../../src/market/band-pool.ts'
import { type DailyBar, MAX_BARS } from '../../src/market/bar.ts'
import { previousTradingDay } from '../../src/market/calendar.ts'
import { CALL, type Chain, UNKNOWN } from '../../src/market/chain.ts'
import type { DailyRecord } from '../../src/market/daily-record.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { Macro, MacroLevel } from '../../src/market/macro.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { defaultAssumptions } from '../../src/pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../../src/pricing/price-chain.ts'
import type { DataDistrust } from '../../src/quality/chain-assessment.ts'
import { fittedSmile } from '../../src/volatility/smile/smile-volatility.ts'
import { datedBefore, walk } from '../volatility/made-up-bars.ts'
import { recordedPayloads } from './cboe-payload.ts'
import { type ChainSketch, eastern, jumbled, ladder, type SeriesSketch, sketched } from './hand-made.ts'
import { madeUpAssumptions } from './made-up.ts'

/** A moment of a market as an endpoint is given it. */
export interface Market {
  readonly name: string
  readonly chain: PricedChain
  readonly prior: PricedChain | undefined
  readonly vix: number | undefined
  /** Completed daily bars of the symbol; none where they do not matter. */
  readonly bars?: readonly DailyBar[]
  /** The wider market; made up around the VIX where it does not matter. */
  readonly macro?: Macro
  /** Daily records of the sessions before; made up where they do not matter. */
  readonly records?: readonly DailyRecord[]
  /** Errors of the bands of other symbols; none where they do not matter. */
  readonly bandErrors?: readonly SymbolBandErrors[]
  /** Why nothing may be concluded from the chain; its quality is not asked unless a test says so. */
  readonly distrust?: DataDistrust
  /** Days ahead on which the company reports; none where they do not matter. */
  readonly reports?: readonly IsoDate[]
  /** Volumes of the session's option tape; none where there is no tape. */
  readonly positions?: Positions
  /** Groups of prints of the sessions a window may reach into; none where there is no tape. */
  readonly groups?: readonly Groups[]
}

/** A wider market around a level of the VIX; nothing is known where there is none. */
export function madeUpMacro({ vix }: Pick<Market, 'vix'>): Macro {
  const level = (value: number, previous?: number): MacroLevel => ({ value, previous })
  const unstated = { tenYear: undefined, highYieldSpread: undefined, fedFunds: undefined, fearAndGreed: undefined }
  if (vix === undefined) return { levels: {}, ...unstated }
  const family = { vix: level(vix, 1.03 * vix), vix9d: level(0.94 * vix, vix), vix3m: level(1.08 * vix) }
  return { levels: { ...family, spx: level(6448.3, 6431.02) }, ...unstated, fearAndGreed: 61.5 }
}

/** Made-up chains hold European prices, recorded ones what their symbol has. */
export const priced = (chain: Chain, assumptions = madeUpAssumptions) => priceChain(chain, assumptions, fittedSmile)

const held = (strike: number, right: number) => jumbled(strike, right, 900)
const traded = (strike: number, right: number) => jumbled(strike + 1, right, 300)
const smile = (strike: number) => 0.2 + 0.00002 * (strike - 105) ** 2
const near = ladder(80, 120, 2.5)
const month: SeriesSketch = { date: '2026-08-28', strikes: near, sigma: smile, oi: held, volume: traded }
const week: SeriesSketch = { ...month, date: '2026-08-05' }
const today: SeriesSketch = { ...month, date: '2026-07-29', strikes: ladder(95, 105, 1) }
const leaps: SeriesSketch = { ...month, date: '2027-06-18', strikes: ladder(60, 150, 10) }
const wednesday: Omit<ChainSketch, 'time'> = { date: '2026-07-29', spot: 100.3, series: [today, week, month, leaps] }
const notQuoted = () => [Number.NaN, Number.NaN] as const

const opex = '2026-09-18'
const amSeries: SeriesSketch = {
  date: opex,
  root: 'SPX',
  settlement: 'am',
  strikes: ladder(6000, 6800, 50),
  oi: (strike, right) => held(strike, right) + (right === CALL ? 9000 : 2000),
  volume: traded,
  spread: 0.5
}
const pmSeries: SeriesSketch = {
  ...amSeries,
  root: 'SPXW',
  settlement: 'pm',
  strikes: ladder(6200, 6600, 10),
  oi: held
}
const indexSeries: readonly SeriesSketch[] = [amSeries, pmSeries, { ...pmSeries, date: '2026-09-25' }]
const index = (date: string, time: string, series = indexSeries): ChainSketch => ({
  symbol: 'SPX',
  date,
  time,
  spot: 6448.3,
  series
})

/** The hand-made chains, by name. Each shows one thing that may go wrong. */
const sketches: Readonly<Record<string, ChainSketch>> = {
  'one expiration': { ...wednesday, time: '11:00', series: [month] },
  'several expirations on a day of expiry': { ...wednesday, time: '11:00', delay: 120 },
  'no open interest': { ...wednesday, time: '11:00', series: [today, month].map((one) => ({ ...one, oi: 0 })) },
  'open interest unknown': {
    ...wednesday,
    time: '11:00',
    series: [today, month].map((one) => ({ ...one, oi: UNKNOWN }))
  },
  'no quotes': { ...wednesday, time: '11:00', series: [today, month].map((one) => ({ ...one, quote: notQuoted })) },
  'missing, one-sided and crossed quotes': {
    ...wednesday,
    time: '14:30',
    delay: 900,
    series: [today, week, month].map((one) => ({
      ...one,
      quote: (strike: number, right: number) =>
        ([undefined, [Number.NaN, Number.NaN], [0, 0.05], [3, 2.9], undefined, [Number.NaN, 1]] as const)[
          jumbled(strike, right, 6)
        ]
    }))
  },
  'all puts': { ...wednesday, time: '11:00', series: [today, month].map((one) => ({ ...one, rights: [1] })) },
  'all calls': { ...wednesday, time: '11:00', series: [today, month].map((one) => ({ ...one, rights: [0] })) },
  'calls and puts that offset exactly': {
    ...wednesday,
    time: '11:00',
    series: [{ ...month, quote: (_: number, right: number) => (right === CALL ? undefined : notQuoted()), oi: 50 }]
  },
  'one strike': { ...wednesday, time: '11:00', series: [{ ...today, strikes: [100] }] },
  'before the open': { ...wednesday, time: '08:15' },
  'last five minutes': { ...wednesday, time: '15:56:30' },
  'after the close': { ...wednesday, time: '17:05' },
  'nothing left after the close': { ...wednesday, time: '17:05', series: [today] },
  'a Saturday': { ...wednesday, date: '2026-08-01', time: '12:00', series: [week, month] },
  'a half day': { ...wednesday, date: '2026-11-27', time: '11:30', series: [{ ...today, date: '2026-11-27' }, leaps] },
  'last five minutes of a half day': {
    ...wednesday,
    date: '2026-11-27',
    time: '12:57',
    series: [{ ...today, date: '2026-11-27' }, leaps]
  },
  'AM and PM series on one date': index('2026-09-15', '11:00'),
  'AM and PM series before the open of their last day': index(opex, '08:00'),
  'PM series after the AM ones have settled': index(opex, '12:00', [
    { ...amSeries, quote: notQuoted },
    ...indexSeries.slice(1)
  ]),
  'PM series beside settled AM ones that still show a quote': index(opex, '12:00')
}

/**
 * The chain's contracts on the previous trading day, with other open interest; one contract in nine is not listed yet.
 */
function dayBefore(sketch: ChainSketch): Chain {
  const series = sketch.series.map((one) => {
    const figure = one.oi ?? 100
    return {
      ...one,
      strikes: one.strikes.filter((strike) => jumbled(strike, 3, 9) > 0),
      oi: (strike: number, right: number) => {
        const oi = typeof figure === 'number' ? figure : figure(strike, right)
        return jumbled(strike, right, 11) === 5 ? UNKNOWN : Math.max(0, oi + jumbled(strike, right + 5, 200) - 90)
      }
    }
  })
  return sketched({
    ...sketch,
    series,
    date: previousTradingDay(sketch.date as never),
    time: '16:00',
    spot: 0.99 * sketch.spot
  })
}

/** How many daily bars the hand-made markets have, in turn: from plenty to too few. */
const barCounts = [320, 70, 25, 400, 5]

/** A random walk over the trading days before a chain's own. */
function barsBefore({ symbol, asOf }: Chain, count: number): readonly DailyBar[] {
  return datedBefore(walk(1 + symbol.length + count, count), easternDate(asOf))
}

export const handMadeNames = Object.keys(sketches)

/**
 * Markets that were made before, by name. Chains never change, so files of one process share them, and with them all measures
 * that were computed from them. The market around them is a new object each time: what is kept with it goes with its file.
 */
const made = new Map<string, unknown>()

function once<Made>(name: string, make: () => Made): Made {
  if (!made.has(name)) made.set(name, make())
  return made.get(name) as Made
}

/** One hand-made market. */
export const handMade = (name: string): Market => ({ ...once(`hand-made ${name}`, () => makeByHand(name)) })

function makeByHand(name: string): Market {
  const sketch = sketches[name]
  const alone = name === 'one expiration' || name.includes('half day')
  const chain = priced(sketched(sketch))
  return {
    name,
    chain,
    bars: barsBefore(chain, barCounts[handMadeNames.indexOf(name) % barCounts.length]),
    prior: alone ? undefined : priced(dayBefore(sketch)),
    vix: alone ? undefined : 17.35
  }
}

const { signal } = new AbortController()
const synthetic = createSynthetic({ seed: 7 })

/** A market of the synthetic source at a New York moment, with its prior close. */
export async function syntheticMarket(symbol: string, date: string, time: string): Promise<Market> {
  return { ...(await once(`synthetic ${symbol} ${date} ${time}`, () => makeSynthetic(symbol, date, time))) }
}

async function makeSynthetic(symbol: string, date: string, time: string): Promise<Market> {
  const raw = (await synthetic.chain(symbol as Ticker, eastern(date, time), signal))!
  const before = previousTradingDay(easternDate(raw.asOf))
  const prior = await synthetic.closingChain(symbol as Ticker, before, signal)
  const vix = await synthetic.chain('VIX' as Ticker, eastern(date, time), signal)
  return {
    name: `synthetic ${symbol} ${date} ${time}`,
    chain: priced(raw),
    prior: prior && priced(prior),
    vix: vix?.spot,
    bars: await synthetic.dailyBars(symbol as Ticker, raw.asOf, signal, MAX_BARS)
  }
}

/** The synthetic moments that table tests run on: hours, closes, expiry days, an AM settlement, a half day. */
export async function syntheticMarkets(): Promise<readonly Market[]> {
  const moments = [
    ['SPY', '2026-06-10', '10:31:17'],
    ['SPY', '2026-06-10', '15:57:20'],
    ['SPX', '2026-09-18', '11:15'],
    ['AAPL', '2026-06-11', '18:00'],
    ['AAPL', '2026-11-27', '12:57:30'],
    ['TLRY', '2026-06-15', '13:00']
  ] as const
  return Promise.all(moments.map(([symbol, date, time]) => syntheticMarket(symbol, date, time)))
}

/** A recorded session of the exchange, with another as its prior day. Undefined where nothing was recorded. */
export async function recordedMarket(
  symbol: 'SPY' | 'SPX',
  date: string,
  prior?: string,
  assumptions = defaultAssumptions
): Promise<Market | undefined> {
  const folder = recordedPayloads()
  if (folder === undefined) return undefined
  const pricedOn = (day: string) =>
    once(`recorded ${symbol} ${day} ${JSON.stringify(assumptions)}`, async () =>
      priced(await recordedChain(folder, symbol, day), assumptions)
    )
  const chain = await pricedOn(date)
  return {
    name: `recorded ${symbol} ${date}`,
    chain,
    bars: barsBefore(chain, 600),
    prior: prior === undefined ? undefined : await pricedOn(prior),
    vix: 17.2
  }
}

/** One recorded chain as the source hands it out, without volatilities. */
export async function recordedChain(folder: string, symbol: string, date: string): Promise<Chain> {
  const path = join(folder, `${symbol === 'SPX' ? '_SPX' : symbol}-${date}.json.gz`)
  const files = await createCboeFiles({ path, asOf: undefined })
  return (await files.chain(symbol as Ticker, 0, signal))!
}

export async function recordedMarkets(): Promise<readonly Market[]> {
  const found = [
    await recordedMarket('SPY', '2022-07-12'),
    await recordedMarket('SPY', '2026-07-29', '2026-07-28'),
    await recordedMarket('SPX', '2026-07-31')
  ]
  return found.filter((market) => market !== undefined)
}

/** Every market of the table tests. */
export async function allMarkets(): Promise<readonly Market[]> {
  return [...handMadeNames.map(handMade), ...(await syntheticMarkets()), ...(await recordedMarkets())]
}
