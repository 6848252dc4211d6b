import type { FastifyInstance } from 'fastify'
import { apiError } from '../../api/error.ts'
import { type Instant, MILLISECONDS_PER_DAY } from '../../market/units.ts'
import { type Ask, askingFor, RouteRefusal } from '../http/ask-api.ts'
import { asApiError } from '../http/refusal.ts'
import { chartResolutions, type Resolution, resolutionNamed } from './resolutions.ts'
import { type BarsAnswer, barsQuery, barTimeOf, earlierQuery, historyOf } from './udf-history.ts'
import {
  type ChartFigure,
  type ChartSymbol,
  foundSymbols,
  readChartSymbol,
  symbolInfo,
  symbolTypes
} from './udf-symbols.ts'

// The datafeed protocol of the TradingView charting library. Each route asks a route of the API.

export interface UdfOptions {
  /** Figures that `/v1/bars` has beside prices. */
  readonly figures: readonly ChartFigure[]
  /** Current time of the market. */
  readonly now: () => Instant
}

type Query = Readonly<Record<string, string | undefined>>

const MAX_COUNTBACK = 10_000
const MAX_FOUND = 100
const DEFAULT_FOUND = 30
/** Events in one page of alerts, and pages that are searched for the events of a chart. */
const EVENTS = 100
const MAX_PAGES = 5

/** Adds the routes of the protocol below `/udf`. */
export function mountUdf(app: FastifyInstance, { figures, now }: UdfOptions): void {
  const route = (path: string, answer: (query: Query, ask: Ask) => unknown) => {
    app.get(`/udf/${path}`, async (request, reply) => {
      try {
        return await answer(request.query as Query, askingFor(app, request, reply))
      } catch (error) {
        const { status, message } = error instanceof RouteRefusal ? error : asApiError(error)
        if (!(error instanceof RouteRefusal) && status >= 500) request.failure = error as Error
        return reply.code(status).send({ s: 'error', errmsg: message })
      }
    })
  }

  route('config', () => ({
    supported_resolutions: chartResolutions.map(({ name }) => name),
    supports_search: true,
    supports_group_request: false,
    supports_marks: true,
    supports_timescale_marks: true,
    supports_time: true,
    exchanges: [],
    symbols_types: symbolTypes
  }))

  route('symbols', async (query, ask) => {
    const one = chartSymbol(query)
    try {
      await ask(`/v1/bars/${one.symbol}`, { every: '1w' })
    } catch (error) {
      if (error instanceof RouteRefusal && error.code === 'symbol_not_found') throw unknownSymbol()
      if (!(error instanceof RouteRefusal && error.code === 'no_data')) throw error
    }
    return symbolInfo(one)
  })

  route('search', async ({ query = '', type = '', limit = String(DEFAULT_FOUND) }, ask) => {
    const { tickers } = (await ask('/v1/tickers', {})) as { readonly tickers: readonly string[] }
    const count = Math.min(MAX_FOUND, wholeOf('limit', limit))
    return foundSymbols(query, { type, limit: count }, tickers, figures)
  })

  route('history', async (query, ask) => {
    const { symbol, figure } = chartSymbol(query)
    const asked = { resolution: resolutionOf(query), ...periodOf(query, now()) }
    const of = { ...(figure !== undefined && { fields: figure.name }) }
    const read = async (period: Readonly<Record<string, string>>, isWithin = asked) => {
      try {
        const answer = (await ask(`/v1/bars/${symbol}`, { ...period, ...of })) as BarsAnswer
        return historyOf(answer, isWithin, figure?.name)
      } catch (error) {
        if (error instanceof RouteRefusal && error.code === 'no_data') return undefined
        throw error
      }
    }
    const found = await read(barsQuery(asked))
    if (found !== undefined && found.t.length > 0) return { s: 'ok', ...found }
    const before = { ...asked, to: Math.min(asked.from, asked.to), countback: 1 }
    const newest = (await read(earlierQuery(asked), before))?.t[0]
    return newest === undefined ? { s: 'no_data' } : { s: 'no_data', nextTime: newest }
  })

  route('marks', async (query, ask) => {
    const [{ symbol }, resolution, { from, to }] = [chartSymbol(query), resolutionOf(query), periodOf(query, now())]
    const marks = (await firedBetween(ask, symbol, from, to)).flatMap((event) => {
      const time = barTimeOf(firedAt(event), resolution)
      return time === undefined ? [] : [{ ...event, time }]
    })
    return {
      id: marks.map(({ id }) => id),
      time: marks.map(({ time }) => time),
      color: marks.map(() => 'yellow'),
      text: marks.map(({ text }) => text),
      label: marks.map(() => 'A'),
      labelFontColor: marks.map(() => 'black'),
      minSize: marks.map(() => 14)
    }
  })

  route('timescale_marks', async (query, ask) => {
    const [{ symbol }, resolution, { from, to }] = [chartSymbol(query), resolutionOf(query), periodOf(query, now())]
    const reports = await reportsOf(ask, symbol)
    return reports
      .map((date) => ({ date, time: timeOfReport(date, resolution) }))
      .filter(({ time }) => time >= from && time <= to)
      .map(({ date, time }) => ({
        id: `report ${date}`,
        time,
        color: 'blue',
        label: 'E',
        tooltip: [`Report of ${date}`]
      }))
  })

  app.get('/udf/time', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(String(Math.floor(now() / 1000)))
  )

  function chartSymbol(query: Query): ChartSymbol {
    const found = readChartSymbol(query['symbol'] ?? '', figures)
    if (found === undefined) throw unknownSymbol()
    return found
  }
}

/** The protocol's own word for a symbol that a feed does not have. */
const unknownSymbol = () => new RouteRefusal(404, { error: 'symbol_not_found', message: 'unknown_symbol' })

function resolutionOf({ resolution = '' }: Query): Resolution {
  const found = resolutionNamed(resolution)
  if (found !== undefined) return found
  throw apiError(
    'invalid_resolution',
    `resolution must be one of ${chartResolutions.map(({ name }) => name).join(', ')}`
  )
}

/** The period of a request. Bars are counted back from the present where it ends later, since none come after it. */
function periodOf({ from, to, countback }: Query, now: Instant) {
  const count =
    countback === undefined ? undefined : Math.min(MAX_COUNTBACK, Math.max(1, wholeOf('countback', countback)))
  const asked = wholeOf('to', to)
  const until = count === undefined ? asked : Math.min(asked, Math.ceil((now + MILLISECONDS_PER_DAY) / 1000))
  return {
    from: from === undefined && count !== undefined ? until : wholeOf('from', from),
    to: until,
    countback: count
  }
}

/** Seconds of the year 2200: later times are mistaken for milliseconds. */
const MAX_SECONDS = 7_258_118_400

function wholeOf(name: string, text: string | undefined): number {
  const value = Number(text)
  if (typeof text === 'string' && /^-?\d+$/.test(text) && Math.abs(value) <= MAX_SECONDS) return value
  throw apiError(
    'invalid_parameter',
    `${name} must be a whole number${name === 'from' || name === 'to' ? ' of seconds' : ''}`
  )
}

interface Fired {
  readonly id: string
  readonly symbol: string
  readonly text: string
  /** When the rule fired, and the moment of the market that its value describes; null where that is not known. */
  readonly at: string
  readonly as_of: string | null
}

/** The moment of the market at which a rule fired: its clock may be another than that of the wall. */
const firedAt = ({ at, as_of }: Fired): Instant => Date.parse(as_of ?? at)

/**
 * What fired on a symbol between two times in seconds, newest first. Events are kept for 30 days. A plan without alerts, and
 * a key in the address, which these routes do not take, show a chart without them.
 */
async function firedBetween(ask: Ask, symbol: string, from: number, to: number): Promise<readonly Fired[]> {
  const found: Fired[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const events = await eventsAt(ask, page * EVENTS)
    found.push(...events.filter((event) => event.symbol === symbol && isBetween(firedAt(event) / 1000, from, to)))
    const last = events.at(-1)
    if (events.length < EVENTS || last === undefined || firedAt(last) < 1000 * from) break
  }
  return found
}

async function eventsAt(ask: Ask, offset: number): Promise<readonly Fired[]> {
  try {
    const answer = await ask('/v1/alerts/events', { limit: String(EVENTS), offset: String(offset) })
    return (answer as { readonly events: readonly Fired[] }).events
  } catch (error) {
    const { isKeyInAddress } = ask
    if (error instanceof RouteRefusal && (error.status === 403 || (error.status === 401 && isKeyInAddress))) return []
    throw error
  }
}

const isBetween = (at: number, from: number, to: number) => at >= from && at <= to

/** Dates of past reports. Most symbols have none, and a plan that does not include them shows a chart without them. */
async function reportsOf(ask: Ask, symbol: string): Promise<readonly string[]> {
  try {
    const answer = await ask(`/v1/earnings/history/${symbol}`, {})
    return (answer as { readonly history: readonly { readonly date: string }[] }).history.map(({ date }) => date)
  } catch (error) {
    if (error instanceof RouteRefusal && (error.status === 404 || error.status === 403)) return []
    throw error
  }
}

/** A report is marked at noon of New York in the bar of its date. */
function timeOfReport(date: string, resolution: Resolution): number {
  const noon = Date.parse(`${date}T17:00:00Z`)
  return barTimeOf(noon, resolution) ?? noon / 1000
}
