import { answer } from '../../src/api/answer.ts'
import { ApiError } from '../../src/api/error.ts'
import { readInputs } from '../../src/api/inputs/load.ts'
import type { MarketSource } from '../../src/api/market-source.ts'
import { readParameters } from '../../src/api/params.ts'
import type { PastViewName, ViewName, ViewRequest, Views } from '../../src/flow/tape-views.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { memoize } from '../../src/market/memoize.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { datedBefore, walk } from '../volatility/made-up-bars.ts'
import { endpointAt, type Query } from './asking.ts'
import { handMade } from './markets.ts'
import { type PlainTape, type PlainViews, plainViews, plainWindow } from './plain-tape.ts'

/** A market of which tapes are all that matters. */
export interface TapeMarket {
  readonly now: Instant
  /** Sessions of tapes; the newest one of a symbol and kind is its present one. */
  readonly tapes: readonly PlainTape[]
  /** Symbols that have only daily bars, and unknown ones. All others have quotes. */
  readonly barsAlone?: readonly string[]
  readonly unknown?: readonly string[]
}

const viewsOf = memoize(plainViews)
const quoted = handMade('one expiration').chain

/** The market as answers read it. */
export function sourceOf({ now, tapes, barsAlone = [], unknown = [] }: TapeMarket): MarketSource {
  const sessionsOf = ({ symbol, kind }: Pick<ViewRequest, 'symbol' | 'kind'>) =>
    tapes
      .filter((tape) => tape.symbol === symbol && tape.kind === kind)
      .sort((a, b) => (a.session < b.session ? -1 : 1))
  const viewOf = <Name extends ViewName>(tape: PlainTape, view: Name) =>
    viewsOf(tape)[view as keyof PlainViews] as unknown as Views[Name]
  const chain = (symbol: Ticker) => {
    if (barsAlone.includes(symbol) || unknown.includes(symbol)) return undefined
    return { ...quoted, symbol, asOf: Math.min(quoted.asOf, now) } as PricedChain
  }
  return {
    now: () => now,
    chain,
    underlying: chain,
    closing: () => undefined,
    bars: (symbol): readonly DailyBar[] => (unknown.includes(symbol) ? [] : datedBefore(walk(5, 5), easternDate(now))),
    records: () => [],
    view: (request) => {
      const present = sessionsOf(request).at(-1)
      return present && viewOf(present, request.view)
    },
    pastViews: <Name extends PastViewName>(request: ViewRequest<Name>, from: Instant) =>
      sessionsOf(request)
        .slice(0, -1)
        .filter(({ session }) => session >= easternDate(from))
        .map((tape) => viewOf(tape, request.view)),
    isTaped: () => false,
    pastPressure: () => [],
    customers: () => [],
    lastKnown: () => undefined,
    delayOf: () => 0,
    earlier: () => undefined,
    provenanceOf: () => ({ name: 'recorded', pace: 60_000 }),
    quality: () => undefined,
    windowTotals: (kind, from) => {
      const ofKind = tapes.filter((tape) => tape.kind === kind)
      if (ofKind.length === 0) return undefined
      const symbols = [...new Set(ofKind.map(({ symbol }) => symbol))]
      const totals = symbols.flatMap((symbol) => plainWindow(sessionsOf({ symbol, kind }), from) ?? [])
      const [{ source = 'recorded', silent = false }] = ofKind
      return { at: now, source, silent, totals }
    },
    reports: () => undefined,
    earnings: () => undefined,
    earningsCalendar: () => undefined,
    bandErrors: () => [],
    strikes: () => undefined,
    minutePrices: () => [],
    newestSamples: () => [],
    figures: () => undefined,
    clock: (step) => step * Math.floor(now / step),
    catalogue: () => ({ tickers: [], asked: [], lastUpdated: undefined, held: [], universe: [] }),
    screened: () => ({ now: 0, rows: [], missing: [], presets: {} }),
    isStale: () => false
  }
}

/** The parsed answer of a flow endpoint over such a market; the symbol is SPY unless the query names another. */
export function tapeAnswer<Answer>(path: string, market: TapeMarket, query: Query = {}): Answer {
  const { symbol = 'SPY', ...sent } = query
  const endpoint = endpointAt(path)
  const params = readParameters(endpoint.params, { symbol }, sent, { today: easternDate(market.now) })
  const loaded = readInputs(endpoint, params, { source: sourceOf(market), maxAge: 0, keyless: false })
  if (loaded === undefined) throw new Error('the tapes of a test are at hand')
  return JSON.parse(answer(endpoint, { params, inputs: loaded.inputs, body: undefined, caller: [] })) as Answer
}

/** The code of the refusal, or 'answered'. */
export function codeOf(path: string, market: TapeMarket, query: Query = {}): string {
  try {
    tapeAnswer(path, market, query)
    return 'answered'
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

export const ticker = (text: string) => text as Ticker
