import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../../src/market/chain.ts'
import { instantOfEastern } from '../../../src/market/eastern.ts'
import type { ListedSeries } from '../../../src/market/series.ts'
import type { Instant, IsoDate } from '../../../src/market/units.ts'
import type { PlainPrint } from '../../support/plain-tape.ts'
import { type TapeMarket, tapeAnswer, ticker } from '../../support/tape-market.ts'

const data = resolve(import.meta.dirname, '../../../../shared/data')
const missing = ['reference/flow.json', 'trades/vix-options-2016-06-01.csv.gz'].find(
  (file) => !existsSync(resolve(data, file))
)
if (missing !== undefined)
  console.log(`skipped: answers are not compared with the reference, ../shared/data/${missing}`)

const session = '2016-06-01' as IsoDate
const sides = { b: 'buy', s: 'sell', m: 'mid' } as const
const path = (name: string) => `/v1/flow/options/{symbol}/${name}`

interface Reference {
  readonly results: readonly {
    readonly id: string
    readonly parameters: { readonly at?: string }
    readonly expected: unknown
  }[]
}
interface Recorded {
  readonly series: readonly ListedSeries[]
  readonly prints: readonly (PlainPrint & { readonly cancelledAt: Instant })[]
}

/** The moment at which the clock of New York shows HH:MM:SS.mmm. */
function clock(text: string): Instant {
  const [hours, minutes, seconds] = text.split(':').map(Number)
  return instantOfEastern(session, 60 * hours + minutes) + Math.round(1000 * seconds)
}

/** Options on VIX of 2016-06-01, with the sides of other code. Where canceled_trade_condition_id is 2, the one with 1 ends. */
function recorded(reference: Reference): Recorded {
  const [, ...lines] = gunzipSync(readFileSync(resolve(data, 'trades/vix-options-2016-06-01.csv.gz')))
    .toString()
    .trim()
    .split('\n')
  const rows = lines.map((line) => line.split(','))
  const timeOf = (cells: readonly string[]) => clock(cells[1].slice(11))
  const cancelled = timeOf(rows.find((cells) => cells[11] === '2')!)
  const printed = rows
    .filter((cells) => cells[11] !== '2')
    .sort((a, b) => timeOf(a) - timeOf(b) || Number(a[2]) - Number(b[2]))
  const judged = reference.results.find(({ id }) => id === 'vix.sides')!.expected as string
  const names = new Map<string, number>()
  const series: ListedSeries[] = []
  const prints = printed.map((cells, k) => {
    const name = cells.slice(3, 7).join()
    if (!names.has(name)) {
      names.set(name, series.length)
      const right = cells[6] === 'C' ? CALL : PUT
      series.push({
        root: cells[3],
        date: cells[4] as IsoDate,
        settlement: 'am',
        strike: Number(cells[5]),
        right,
        adjusted: false
      })
    }
    return {
      ts: 1000 * timeOf(cells),
      price: Math.round(10_000 * Number(cells[9])),
      size: Number(cells[8]),
      side: sides[judged[k] as keyof typeof sides],
      instrument: names.get(name)!,
      cancelledAt: cells[11] === '1' ? cancelled : Number.POSITIVE_INFINITY
    }
  })
  return { series, prints }
}

describe.skipIf(missing !== undefined)('answers over recorded prints are what other code made of them', () => {
  const reference: Reference =
    missing === undefined ? JSON.parse(readFileSync(resolve(data, 'reference/flow.json'), 'utf8')) : { results: [] }
  const tape = missing === undefined ? recorded(reference) : { series: [], prints: [] }
  const results = new Map(reference.results.map(({ id, expected }) => [id, expected]))
  const moments = [...results.keys()]
    .filter((id) => id.startsWith('vix.totals@'))
    .map((id) => id.slice('vix.totals@'.length))

  /** The market as it was known then, a cancel that came with the moment included. */
  function marketAt(moment: string): TapeMarket {
    const now = clock(moment)
    const prints = tape.prints.filter(({ ts, cancelledAt }) => ts <= 1000 * now && cancelledAt > now)
    return { now, tapes: [{ symbol: ticker('VIX'), kind: 'option', session, series: tape.series, prints }] }
  }
  const answer = <Answer>(name: string, moment: string, query = {}) =>
    tapeAnswer<Answer>(path(name), marketAt(moment), { symbol: 'VIX', ...query })

  test.each(moments)('at %s: totals of the session', (moment) => {
    expect(answer('summary', moment)).toMatchObject(results.get(`vix.totals@${moment}`) as object)
  })

  test.each(moments)('at %s: minutes, the newest of them figure by figure', (moment) => {
    interface Bucket {
      readonly ts: string
      readonly vwap: number
      readonly tradeCount: number
    }
    const { count, buckets } = answer<{ count: number; buckets: readonly Bucket[] }>('history', moment, {
      minutes: '600'
    })
    const stated = results.get(`vix.minutes@${moment}`) as { readonly buckets: number; readonly trade_count: number }
    expect(count).toBe(stated.buckets)
    expect(buckets.reduce((sum, { tradeCount }) => sum + tradeCount, 0)).toBe(stated.trade_count)
    const newest = results.get(`vix.last_minutes@${moment}`) as readonly {
      readonly minute: string
      readonly vwap: number
    }[]
    expect(newest.length).toBeGreaterThan(3)
    newest.forEach(({ minute, vwap, ...figures }, k) => {
      expect(buckets[k]).toMatchObject(figures)
      expect(Date.parse(buckets[k].ts)).toBe(clock(`${minute}:00`))
      expect(Math.abs(buckets[k].vwap - vwap)).toBeLessThanOrEqual(0.000051)
    })
  })

  test.each(moments)('at %s: premium of dealers', (moment) => {
    const stated = results.get(`vix.dealer_premium@${moment}`) as object
    expect(answer('dealer-premium', moment, { windowMinutes: '600' })).toMatchObject(stated)
  })
})
