import type { Connector, RequestRate } from '../../src/connectors/port/connector.ts'
import { type Chain, chainOfRoot } from '../../src/market/chain.ts'
import { type EarningsStatement, unstated } from '../../src/market/earnings.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import { datedBefore, walk } from '../volatility/made-up-bars.ts'
import { jumbled, ladder, type SeriesSketch, sketched } from './hand-made.ts'

/** Wednesday 2026-07-29, 11:00 in New York: the session is open, and something expires today. */
export const wednesday = Date.parse('2026-07-29T15:00:00Z')

/** A clock that the test moves. Its steady clock goes on with it, but never back. */
export function clockAt(at: Instant) {
  let seen = at
  let steady = 0
  const clock = {
    at,
    now: () => clock.at,
    steadyNow: () => {
      steady += Math.max(0, clock.at - seen)
      seen = clock.at
      return steady
    },
    pass: (milliseconds: number) => {
      clock.at += milliseconds
      clock.steadyNow()
      return clock.at
    }
  }
  return clock
}

const near: SeriesSketch = {
  date: '2026-08-21',
  strikes: ladder(90, 110, 2.5),
  oi: (strike, right) => jumbled(strike, right, 900),
  volume: (strike, right) => jumbled(strike, right, 90)
}
const index = { ...near, root: 'SPX', settlement: 'am', strikes: ladder(6200, 6700, 100) } as const
const sketch = { date: '2026-07-29', time: '11:00', spot: 100.3 }
/** Two of its expirations have quotes enough for a fitted smile. */
const fitted = ['2026-09-18', '2026-10-16'].map((date) => ({ ...near, date, strikes: ladder(80, 120, 2.5) }))
const equity = sketched({ ...sketch, series: [{ ...near, date: '2026-07-29' }, near, ...fitted] })
const spx = sketched({
  ...sketch,
  symbol: 'SPX',
  spot: 6448,
  series: [index, { ...index, root: 'SPXW', settlement: 'pm' }, { ...index, root: 'SPXW', date: '2026-07-29' }]
})
const unlisted = sketched({ ...sketch, series: [] })

/** Chains of the market unless a test changes them: a few symbols and an index; NOOPT has no options. */
function usual(symbol: string): Chain | undefined {
  if (symbol === 'SPX') return spx
  if (['NOOPT', 'VIX'].includes(symbol)) return unlisted
  return ['AAPL', 'MSFT', 'KO', 'SPY'].includes(symbol) ? equity : undefined
}

/** One report behind its companies and one ahead. */
const reports = (['AAPL', 'KO', 'MSFT'] as Ticker[]).flatMap((symbol): EarningsStatement[] => [
  { ...unstated, symbol, date: '2026-05-27' as IsoDate, knownFrom: 0, timing: 'bmo', epsEstimate: 1, epsActual: 1.1 },
  { ...unstated, symbol, date: '2026-08-06' as IsoDate, knownFrom: 0, epsEstimate: 1.2 }
])

/** Daily bars that begin at a hundred, as the price of most symbols does. */
const bars = walk(9, 80)
const BEGIN = 100

/** Daily bars of a symbol of another price, which would contradict it otherwise. */
function barsNear(spot: number): typeof bars {
  if (Math.abs(spot - BEGIN) < 10) return bars
  const scaled = (price: number) => (price * spot) / BEGIN
  return bars.map((bar) => ({
    ...bar,
    open: scaled(bar.open),
    high: scaled(bar.high),
    low: scaled(bar.low),
    close: scaled(bar.close)
  }))
}

export interface ScriptedSource extends Connector {
  /** Every chain asked for, in order, and at which moment of the market. */
  readonly asked: { readonly symbol: Ticker; readonly now: Instant }[]
  /** Every close asked for, symbol and session. */
  readonly closes: string[]
  /** Errors to fail with, by symbol, as long as they are in the map. */
  readonly faults: Map<string, Error>
  listing: (symbol: string) => Chain | undefined
  close: (symbol: string, session: string) => Chain | undefined
  latest: (now: Instant) => Instant
  pace: number
  onDemand?: RequestRate
  /** Lets nothing answer until the returned function is called. */
  hold(): () => void
  /** How often a symbol was asked for. */
  count(symbol: string): number
}

/** A source that a test scripts, and that records its requests. */
export function scriptedSource(): ScriptedSource {
  let gate: Promise<void> = Promise.resolve()
  const source: ScriptedSource = {
    name: 'scripted',
    synthetic: true,
    provides: ['chains', 'earnings'],
    terms: 'Made for tests.',
    pace: 1000,
    universe: [],
    tickers: ['AAPL', 'KO', 'MSFT', 'NOOPT', 'SPX', 'SPY', 'VIX'] as Ticker[],
    listsAll: true,
    fixedAt: undefined,
    asked: [],
    closes: [],
    faults: new Map(),
    listing: usual,
    close: (symbol) => usual(symbol),
    latest: (now) => now,
    hold: () => {
      let open = () => {}
      gate = new Promise((resolve) => (open = resolve))
      return open
    },
    count: (wanted) => source.asked.filter(({ symbol }) => symbol === wanted).length,
    chain: async (symbol, now) => {
      source.asked.push({ symbol, now })
      await gate
      const fault = source.faults.get(symbol)
      if (fault !== undefined) throw fault
      return dated(source.listing(symbol), symbol, source.latest(now))
    },
    holdsPast: true,
    closingChain: async (symbol, session) => {
      source.closes.push(`${symbol} ${session}`)
      await gate
      const fault = source.faults.get(`${symbol} close`)
      if (fault !== undefined) throw fault
      return dated(source.close(symbol, session), symbol, Date.parse(`${session}T20:00:00Z`))
    },
    earnings: async ({ symbol, from }, now) =>
      reports.filter(
        (statement) =>
          (symbol ?? statement.symbol) === statement.symbol && statement.date >= from && statement.knownFrom <= now
      ),
    dailyBars: async (symbol, now) => {
      if (source.listing(symbol) === undefined) return []
      return datedBefore(barsNear(usual(symbol)?.spot ?? BEGIN), easternDate(now))
    }
  }
  return source
}

function dated(chain: Chain | undefined, symbol: Ticker, asOf: Instant): Chain | undefined {
  return chain && { ...chain, symbol, asOf, quote: { ...chain.quote, time: asOf } }
}

/** An empty chain, for tests that hold thousands of them. */
export const emptyChain = unlisted
/** The weekly series of the index, as the source lists them. */
export const weeklySize = chainOfRoot(spx, 'SPXW' as Ticker)!.size
