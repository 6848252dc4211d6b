import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { ApiError } from '../../src/api/error.ts'
import { features } from '../../src/api/feature.ts'
import { readsTapes } from '../../src/api/inputs/inputs.ts'
import { readParameters } from '../../src/api/params.ts'
import type { HistoryStore, StoredSnapshot } from '../../src/archive/store.ts'
import { endpointsWith } from '../../src/endpoints/index.ts'
import { LiveMarket } from '../../src/live/market.ts'
import { addDays, session } from '../../src/market/calendar.ts'
import { type Dividend, knownFrom } from '../../src/market/dividend.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { parseMoment } from '../../src/replay/moment.ts'
import { Answers } from '../../src/server/answers/answers.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { type ArchiveRows, cutRows, laterRows, poisonRows, writeRows } from './archive-rows.ts'
import { madeUpAssumptions } from './made-up.ts'
import { memoryStore } from './memory-store.ts'
import { askedHours, recordedDay } from './recorded-days.ts'
import { replayService } from './replay.ts'
import { scriptedSource } from './scripted-source.ts'

export interface LookAheadOptions {
  /** An empty archive. */
  readonly open: () => Promise<HistoryStore>
  /** How a snapshot of such an archive becomes a chain again; where nothing is said, as the one in memory has it. */
  readonly restore?: (snapshot: StoredSnapshot, dividends?: readonly Dividend[]) => Promise<PricedChain>
  readonly hours?: readonly string[]
  readonly dates?: readonly (readonly [kind: string, date: string])[]
  /** What the archive holds around a date; where nothing is said, a day of the made-up market. */
  readonly rowsOf?: (date: string) => Promise<ArchiveRows>
  readonly subjects?: Subjects
}

/** Whom the routes are asked about. */
export interface Subjects {
  /** A symbol with options, and one of which the level alone may be known. */
  readonly symbol: string
  readonly level: string
  /** Values for the parameters that a route requires. */
  readonly required: Readonly<Record<string, string>>
}

const madeUpMarket: Subjects = { symbol: 'KO', level: 'VIX', required: { symbols: 'KO,T,NOPE', index: 'XLE' } }

export const days = [
  ['a normal day', '2026-07-29'],
  ['a half day', '2026-11-27'],
  ['the day after a holiday', '2026-09-08']
] as const

/** A day of the made-up market; its shares pay what was declared before, and what is declared on that day. */
async function withDividends(date: string): Promise<ArchiveRows> {
  const day = date as IsoDate
  const paid = (exDate: IsoDate, declared: IsoDate, amount: number) => ({
    exDate,
    amount,
    knownFrom: knownFrom(exDate, declared)
  })
  const schedule = [paid(addDays(day, 9), addDays(day, -20), 0.5), paid(addDays(day, 16), day, 0.3)]
  const dividends = ['KO', 'T'].flatMap((symbol) =>
    schedule.map((dividend) => ({ symbol: symbol as Ticker, dividend }))
  )
  return { ...(await recordedDay(date)), dividends }
}

/** Everything that can be served, what is only announced by default included. */
const endpoints = endpointsWith(features)
/** What is made of prints has its proofs beside the tapes: test/replay/tapes.test.ts. */
export const replayed = endpoints.filter(({ replay, needs }) => replay && !readsTapes(needs))

/** Values for the parameters that could reach for another time. */
const further: Readonly<Record<string, readonly string[]>> = {
  expiration: ['0dte'],
  min_oi: ['250'],
  topN: ['25'],
  strike_range: ['0.1'],
  dist: ['gaussian'],
  days: ['60'],
  weights: ['3,1,2']
}

/** A question to a route, without the moment. */
interface Asked {
  readonly endpoint: Endpoint
  readonly symbol: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly address: string
}

/** What a route is asked: plainly, of a level where it takes a symbol, and once with each further parameter. */
function questionsOf(endpoint: Endpoint, { symbol, level, required: values }: Subjects): readonly Asked[] {
  const { path, params } = endpoint
  const required = Object.entries(params).flatMap(([name, { in: place, required }]): [string, string][] =>
    place === 'query' && required ? [[name, values[name]]] : []
  )
  const ask = (symbol: string, query: Asked['query']): Asked => {
    const words = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))
    return { endpoint, symbol, query, address: `${path.replace(/\{\w+\}/, symbol)}?${words}` }
  }
  const varied = Object.keys(params).flatMap((name) =>
    (further[name] ?? [])
      .filter((value) => params[name].read(value, { today: '2026-07-29' as IsoDate }) !== undefined)
      .map((value) => ask(symbol, [...required, [name, value]]))
  )
  return [ask(symbol, required), ...(path.includes('{') ? [ask(level, required)] : []), ...varied]
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** Headers that tell of the request rather than of the answer. */
const ofTheRequest = /^(x-ratelimit-|ratelimit|x-request-id$|date$|retry-after$)/

/**
 * The four proofs that an archive cannot leak what came later, for every replayed route: an archive cut off at the
 * moment, one whose later rows are absurd, and one that grew afterwards give the same bytes, and the live service gave
 * them when it held the same snapshots. Archives are open one after the other.
 */
export function provesNoLookAhead(options: LookAheadOptions): void {
  const { open, restore, hours = askedHours, dates = days, rowsOf = withDividends, subjects = madeUpMarket } = options
  const questions = replayed.flatMap((endpoint) => questionsOf(endpoint, subjects))

  /** The answers of an archive with these rows to every question, and again once it has got the later ones. */
  const answersOf = async (rows: ArchiveRows, moment: string, later?: ArchiveRows) => {
    const history = await open()
    await writeRows(history, rows)
    const from = moment.slice(0, 10) // operators may serve days older than the default
    const service = replayService({ history, endpoints, from, ...(restore !== undefined && { restore }) })
    const ask = async ({ address }: Asked): Promise<Answer> => {
      const { statusCode, body, headers } = await service.past(`${address}&at=${moment}`)
      const kept = Object.entries(headers).filter(([name]) => !ofTheRequest.test(name))
      return { status: statusCode, body, headers: Object.fromEntries(kept) }
    }
    try {
      const first = await inTurn(questions, ask)
      if (later === undefined) return { first, again: first }
      await writeRows(history, later)
      return { first, again: await inTurn(questions, ask) }
    } finally {
      await service.close()
      await history.close()
    }
  }

  describe.each(dates)('on %s', (_, date) => {
    let rows: ArchiveRows
    beforeAll(async () => {
      rows = await rowsOf(date)
    })

    test.each(hours)('at %s every route gives the bytes of an archive that ended there', async (hour) => {
      const moment = `${date}${hour}`
      const at = parseMoment(moment)!
      const { first: full } = await answersOf(rows, moment)
      const answered = questions.filter((_, k) => full[k].status === 200)
      expect(new Set(answered.map(({ endpoint }) => endpoint.id))).toEqual(new Set(replayed.map(({ id }) => id)))

      const cut = cutRows(rows, at)
      const { first: poisoned } = await answersOf(poisonRows(rows, at), moment)
      const grown = await answersOf(cut, moment, laterRows(rows, at))
      const live = liveOver(rows, at)
      for (const [k, question] of questions.entries()) {
        const { address } = question
        const answer = full[k]
        expect([200, 404], address).toContain(answer.status)
        expectSame(grown.first[k], answer, `cut: ${address}`)
        expectSame(poisoned[k], answer, `poisoned: ${address}`)
        expectSame(grown.again[k], answer, `after it grew: ${address}`)
        expectText(await live(question), answer.status === 200 ? answer.body : undefined, `live: ${address}`)
        expectNothingLater(answer, at, address)
      }
    }, 180_000)
  })
}

async function inTurn<From, To>(items: readonly From[], next: (item: From) => Promise<To>): Promise<readonly To[]> {
  const results: To[] = []
  for (const item of items) results.push(await next(item))
  return results
}

function expectSame(other: Answer, { status, body, headers }: Answer, what: string): void {
  expectText(other.body, body, what)
  expect([other.status, other.headers], what).toEqual([status, headers])
}

/** The same bytes; where they are not, only the place of the first difference is shown. */
function expectText(other: string | undefined, text: string | undefined, what: string): void {
  if (other === text) return
  const [a, b] = [other ?? 'a refusal', text ?? 'a refusal']
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const around = (said: string) => said.slice(Math.max(0, at - 60), at + 60)
  expect(around(a), what).toBe(around(b))
}

/** Times that an answer may name though they lie ahead. */
const ahead = /expir|reset|next|close|earnings/

/** No moment in a body or its headers lies after the one asked about. */
function expectNothingLater({ body, headers }: Answer, at: Instant, address: string): void {
  const visit = (value: unknown, name: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) visit(inner, Array.isArray(value) ? name : key)
    } else if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value) && !ahead.test(name)) {
      expect(Date.parse(value), `${address}: ${name}`).toBeLessThanOrEqual(at)
    }
  }
  visit(JSON.parse(body), '')
  const asOf = headers['x-replay-as-of']
  if (typeof asOf !== 'string') return
  expect(parseMoment(asOf)!, address).toBeLessThanOrEqual(at)
  expect(easternDate(parseMoment(asOf)!)).toBe(easternDate(at))
}

/** The live service at a moment, holding the snapshots that a recorder had written by then. Undefined: it refused. */
function liveOver(rows: ArchiveRows, at: Instant) {
  const archive = memoryStore(rows)
  const { snapshots } = rows
  const source = {
    ...scriptedSource(),
    holdsPast: false,
    tickers: [], // a symbol that is listed would be answered 503 while it loads
    chain: async (symbol: string, now: Instant) =>
      snapshots.findLast(({ chain }) => chain.symbol === symbol && chain.asOf <= now)?.chain,
    closingChain: async (symbol: string, day: string) =>
      snapshots.findLast(({ chain }) => chain.symbol === symbol && easternDate(chain.asOf) === day)?.chain,
    dailyBars: async (symbol: string, now: Instant) =>
      rows.bars.flatMap(({ symbol: of, bar }) => (of === symbol && session(bar.date)!.close <= now ? [bar] : []))
  }
  const listed = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const engine = inlineEngine({ connector: source, assumptions: madeUpAssumptions, endpoints: listed })
  const market = { engine, source, archive, universe: [], marketNow: () => at, wallNow: () => at }
  const live = new LiveMarket(market)
  const answers = new Answers({ engine, cacheBytes: 1e7 })
  return async ({ endpoint, symbol, query }: Asked): Promise<string | undefined> => {
    const path = { symbol, ticker: symbol }
    const params = readParameters(endpoint.params, path, Object.fromEntries(query), { today: easternDate(at) })
    const asking = { source: live, maxAge: 0, keyless: false }
    try {
      return (await answers.find(endpoint, params, asking, endpoint.varies)).answer.body.toString()
    } catch (error) {
      // Live, what cannot be made of the present chain may be made of the next one, and counts as loading.
      if (error instanceof ApiError && (error.status === 404 || error.code === 'loading')) return undefined
      throw error
    }
  }
}
