import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerBytes } from '../src/api/answer.ts'
import type { DatabaseStore } from '../src/archive/clickhouse/database-store.ts'
import { FigureReader } from '../src/archive/figure-reader.ts'
import { openHistory } from '../src/archive/open.ts'
import { createSynthetic } from '../src/connectors/synthetic/synthetic-connector.ts'
import { seriesFieldNames } from '../src/endpoints/series/fields.ts'
import { figureRow } from '../src/endpoints/series/row.ts'
import { series } from '../src/endpoints/series/series.ts'
import { type SeriesStep, stretchOf } from '../src/endpoints/series/stretch.ts'
import { type Session, session, tradingDays } from '../src/market/calendar.ts'
import { headerOf } from '../src/market/chain.ts'
import { parseEasternDateTime } from '../src/market/eastern.ts'
import type { FigureRow } from '../src/market/figure-row.ts'
import type { Instant, IsoDate, Ticker } from '../src/market/units.ts'
import { defaultAssumptions } from '../src/pricing/assumptions.ts'
import { type PricedChain, priceChain } from '../src/pricing/price-chain.ts'
import { fittedSmile } from '../src/volatility/smile/smile-volatility.ts'
import { type Figure, median, report } from './support/figure.ts'

// Cost of opening a chart: the line of a session, and the days of a month. The archive holds two months, recorded
// every minute.
const MINUTE = 60_000
const sessions = tradingDays('2026-06-01' as IsoDate, '2026-07-31' as IsoDate).map((date) => session(date)!)
const symbol = 'KO' as Ticker
const noon = parseEasternDateTime('2026-07-31T12:00:00')!
const overview = ['underlying_price', 'net_gex', 'gamma_flip', 'call_wall', 'put_wall']
const untaped = seriesFieldNames.filter((name) => !name.startsWith('flow.'))
const formats = [undefined, 'text/csv', 'application/vnd.apache.arrow.stream'] as const

const market = createSynthetic({ seed: 1 })
const chainOf = async (of: Ticker): Promise<PricedChain> =>
  priceChain((await market.chain(of, noon, AbortSignal.timeout(60_000)))!, defaultAssumptions, fittedSmile)

/**
 * Writes a snapshot and its figures for each minute of a session: one chain at other moments, with slightly other
 * figures.
 */
async function write(store: DatabaseStore, { open, close }: Session, chain: PricedChain): Promise<void> {
  const moments = Array.from({ length: (close - open) / MINUTE + 1 }, (_, k) => open + k * MINUTE)
  await store.writeSnapshots(
    moments.map((asOf) => ({ chain: { ...chain, asOf }, fidelity: 'recorded', missing: [] }) as const)
  )
  const { figures, strikes } = figureRow(chain, undefined)
  const rowAt = (asOf: Instant): FigureRow => {
    const moved = Object.entries(figures).map(([name, value]) => [name, value && value * (1 + (asOf % 1e7) / 1e9)])
    return { symbol, asOf, figures: Object.fromEntries(moved), strikes }
  }
  await store.writeFigures(moments.map(rowAt), await store.clock())
}

/** Median time from request to answer, milliseconds, with a warm archive. */
async function answering(
  store: DatabaseStore,
  chain: PricedChain,
  asked: { readonly fields: readonly string[]; readonly from: Session; readonly every: SeriesStep },
  form?: string
): Promise<{ readonly milliseconds: number; readonly rows: number }> {
  const reader = new FigureReader(store)
  const { close: asOf } = sessions.at(-1)!
  const { fields, every } = asked
  const params = { symbol, fields, from: asked.from.open, to: undefined, every }
  const times: number[] = []
  let rows = 0
  for (let k = -10; k < 31; k++) {
    const startedAt = performance.now()
    const figures = await reader.read({ symbol, ...stretchOf(params, { asOf, now: asOf }) })
    const inputs = { quote: { ...headerOf(chain), asOf }, figures }
    answerBytes(series, { params, inputs, body: undefined, caller: [], form })
    if (k >= 0) times.push(performance.now() - startedAt)
    rows = figures.t.length
  }
  return { milliseconds: median(times), rows }
}

/**
 * Time of reading the strikes of the last session every five minutes: the first read, and the median of later ones,
 * milliseconds.
 */
async function readingStrikes(store: DatabaseStore): Promise<{ readonly first: number; readonly later: number }> {
  const { date, close } = sessions.at(-1)!
  const times: number[] = []
  for (let k = 0; k < 31; k++) {
    const startedAt = performance.now()
    await store.strikes({ symbol, date, figure: 'gex', every: 5 * MINUTE }, close)
    times.push(performance.now() - startedAt)
  }
  return { first: times[0], later: median(times.slice(1)) }
}

/** Time of making the figures of a freshly priced chain, milliseconds. */
async function making(of: Ticker): Promise<{ readonly milliseconds: number; readonly contracts: number }> {
  const chain = await chainOf(of)
  const times = Array.from({ length: 9 }, () => {
    const fresh = { ...chain } // a new object, for which nothing is memoized
    const startedAt = performance.now()
    figureRow(fresh, undefined)
    return performance.now() - startedAt
  })
  return { milliseconds: median(times), contracts: chain.size }
}

export async function benchmark(): Promise<readonly Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'gammawall-bench-'))
  const opened = await openHistory({ data, history: 'embedded', recordVersion: 1, figureVersion: '1' })
  if (opened.store === undefined) {
    console.log(`skipped: ${opened.reason}`)
    return []
  }
  const { store } = opened
  const found: Figure[] = []
  try {
    const chain = await chainOf(symbol)
    for (const day of sessions) await write(store, day, chain)
    const [first, last] = [sessions.at(-21)!, sessions.at(-1)!]
    for (const form of formats) {
      const day = await answering(store, chain, { fields: overview, from: last, every: '1m' }, form)
      const name = `a session of 5 figures, ${day.rows} rows, ${form ?? 'JSON'}`
      found.push({ name, value: day.milliseconds, unit: 'ms', atMost: 50 })
    }
    const whole = await answering(store, chain, { fields: untaped, from: last, every: '1m' })
    found.push({
      name: `a session of ${untaped.length} figures, ${whole.rows} rows`,
      value: whole.milliseconds,
      unit: 'ms'
    })
    const month = await answering(store, chain, { fields: untaped, from: first, every: '1d' })
    const name = `a month of daily figures, ${untaped.length} of each of ${month.rows} days`
    found.push({ name, value: month.milliseconds, unit: 'ms', atMost: 1000 })
    const minutes = await answering(store, chain, { fields: overview, from: first, every: '1m' })
    found.push({ name: `a month of 5 figures, ${minutes.rows} rows`, value: minutes.milliseconds, unit: 'ms' })
    const strikes = await readingStrikes(store)
    found.push({
      name: 'strikes of a session at every 5 minutes, first',
      value: strikes.first,
      unit: 'ms',
      atMost: 150
    })
    found.push({ name: 'strikes of a session at every 5 minutes', value: strikes.later, unit: 'ms', atMost: 50 })
    for (const symbol of ['KO', 'SPY', 'SPX'] as Ticker[]) {
      const { milliseconds, contracts } = await making(symbol)
      found.push({
        name: `figures of a snapshot of ${symbol}, ${contracts} contracts`,
        value: milliseconds,
        unit: 'ms'
      })
    }
  } finally {
    await store.close()
    rmSync(data, { recursive: true, force: true })
  }
  return found
}

await report(import.meta.url, benchmark)
