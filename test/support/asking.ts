import { answer } from '../../src/api/answer.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { ApiError } from '../../src/api/error.ts'
import type { Entitlement } from '../../src/api/plan.ts'
import { readRequest } from '../../src/api/request-params.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { strikeSums } from '../../src/exposure/by-strike.ts'
import { bandPools } from '../../src/market/band-pool.ts'
import { latestSession, session } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { memoize } from '../../src/market/memoize.ts'
import { securityKind } from '../../src/market/security.ts'
import type { StrikeColumn, StrikeRequest } from '../../src/market/strike-sums.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { knownCustomers } from './known-holders.ts'
import { madeUpCalendar, madeUpEarnings } from './made-up-earnings.ts'
import { madeUpFigures } from './made-up-figures.ts'
import { madeUpPrices } from './made-up-prices.ts'
import { madeUpRecords } from './made-up-records.ts'
import { type Market, madeUpMacro } from './markets.ts'
import { tapesOf } from './tapes-of-chain.ts'

const held = new Map<IsoDate, ReturnType<typeof knownCustomers>>()
/** Returns the same list for the same day. */
function customersBefore(date: IsoDate) {
  const found = held.get(date) ?? knownCustomers('SPY' as Ticker, date)
  held.set(date, found)
  return found
}

/** How many daily records the markets have, in turn: a full window, part of one, too few. */
const recordCounts = [75, 30, 3, 64, 0]

export type Query = Readonly<Record<string, string>>

const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]))

export function endpointAt(path: string): Endpoint {
  const found = byPath.get(path)
  if (found === undefined) throw new Error(`no endpoint is declared at ${path}`)
  return found
}

/** The JSON text of an answer over a market, its parameters read as they come off the wire; the code of a refusal. */
export function textOf(
  endpoint: Endpoint,
  market: Market,
  query: Query = {},
  caller: readonly Entitlement[] = []
): { readonly text: string } | { readonly code: string } {
  const { name, chain, prior, vix, bars = [] } = market
  const chains = new Map([[chain.symbol, chain]])
  const histories = new Map([[chain.symbol, bars]])
  const vixQuote = vix === undefined ? undefined : { ...chain, symbol: 'VIX' as Ticker, spot: vix }
  const today = easternDate(chain.asOf)
  const path = { symbol: ` ${chain.symbol.toLowerCase()} `, ticker: chain.symbol.toLowerCase() }
  const known = {
    chain,
    anyChain: chain,
    prior,
    vix,
    vixQuote,
    bars,
    quote: chain,
    chains,
    histories,
    ...tapesOf(chain)
  }
  const { records, macro, earnings, earningsCalendar } = surroundingsOf(market)
  const { positions, groups = [] } = market
  const tape = {
    positions,
    groups,
    minute: 60_000 * Math.floor(chain.asOf / 60_000),
    session: sessionAt(chain.asOf)
  }
  const previousClose = name.length % 2 === 0 ? bars.at(-1)?.close : prior?.spot
  const read = {
    customers: name.length % 2 === 0 ? customersBefore(today) : [],
    previousClose,
    second: chain.asOf,
    sourceDelay: chain.delay,
    distrust: market.distrust,
    provenance: { name: 'made up', pace: 1000 },
    sessionOpen: openOf(market)
  }
  const inputs = {
    ...known,
    ...tape,
    ...read,
    records,
    bandHistory: bandPools(market.bandErrors ?? [], securityKind(chain.symbol)),
    macro,
    earningsDates: market.reports,
    earnings,
    earningsCalendar,
    pastBars: bars,
    now: chain.asOf,
    today
  }
  const moments = { asOf: chain.asOf, now: chain.asOf }
  try {
    const params = readRequest(endpoint, path, query, { today })
    endpoint.check(params as never)
    const stretch = endpoint.figuresRead?.(params as never, moments)
    const figures = stretch && { figures: madeUpFigures(chain, stretch) }
    const prices = endpoint.pricesRead?.(params as never, moments)
    if (prior === undefined && endpoint.needs.includes('earlier')) return { code: 'no_snapshot' }
    const sessionPositions = endpoint.positionsRead(params as never) ? positions : undefined
    const wanted = endpoint.strikesRead(params as never, chain.asOf)
    const other = endpoint.secondSymbolRead(params as never)
    const secondChain = other && { ...chain, symbol: other, spot: 10.03 * chain.spot }
    const strikeColumns = wanted && [prior, chain].flatMap((one) => (one === undefined ? [] : [columnOf(one, wanted)]))
    return {
      text: answer(endpoint, {
        params,
        inputs: {
          ...inputs,
          sessionPositions,
          secondChain,
          ...(prior && { earlier: prior }),
          strikeColumns,
          ...figures,
          ...(prices && { pastPrices: madeUpPrices(market, prices) })
        },
        body: undefined,
        caller
      })
    }
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code }
    throw error
  }
}

/** Inputs that are made up for a market that does not define its own. */
const surroundingsOf = memoize((market: Market) => {
  const today = easternDate(market.chain.asOf)
  return {
    records: market.records ?? madeUpRecords(today, recordCounts[market.name.length % recordCounts.length]),
    macro: market.macro ?? madeUpMacro(market),
    earnings: madeUpEarnings(market),
    earningsCalendar: madeUpCalendar(market)
  }
})

/** Sums a recorded chain by strike. */
function columnOf(chain: PricedChain, { figure }: Pick<StrikeRequest, 'figure'>): StrikeColumn {
  const { asOf, strikes, [figure]: values } = strikeSums(chain)
  return { asOf, strikes, values }
}

const answers = new WeakMap<Market, Map<string, unknown>>()

/** The parsed answer of an endpoint over a market, undefined where it refuses; asked once for each query. */
export function asked<Answer>(path: string, market: Market, query: Query = {}): Answer | undefined {
  let known = answers.get(market)
  if (known === undefined) answers.set(market, (known = new Map()))
  const question = `${path}?${new URLSearchParams(query)}`
  if (!known.has(question)) {
    const result = textOf(endpointAt(path), market, query)
    known.set(question, 'text' in result ? JSON.parse(result.text) : undefined)
  }
  return known.get(question) as Answer | undefined
}

/** Every other market saw its session open; none has before it did. */
function openOf({ name, chain }: Market): number | undefined {
  const hasOpened = chain.asOf >= (session(easternDate(chain.asOf))?.open ?? Number.POSITIVE_INFINITY)
  return hasOpened && name.length % 2 === 0 ? 0.995 * chain.spot : undefined
}

/** The newest session begun at a moment. */
export function sessionAt(moment: Instant) {
  const { date, close } = latestSession(moment)
  return { date, isOn: moment <= close }
}
