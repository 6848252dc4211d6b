import fc from 'fast-check'
import { CALL, PUT } from '../../src/market/chain.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { ADJUSTED, MULTI_LEG, SETS_NO_PRICE, type TapeKind } from '../../src/market/print.ts'
import type { ListedSeries } from '../../src/market/series.ts'
import type { Instant, IsoDate } from '../../src/market/units.ts'
import { eastern } from './hand-made.ts'
import type { PlainPrint, PlainTape } from './plain-tape.ts'
import { type TapeMarket, ticker } from './tape-market.ts'

/** Three expirations, and one adjusted series. */
export const listedSeries: readonly ListedSeries[] = [
  ...['2026-07-29', '2026-07-31', '2026-08-21'].flatMap((date) =>
    [CALL, PUT].map(
      (right) => ({ date, root: 'SPY', settlement: 'pm', strike: 630.5, right, adjusted: false }) as const
    )
  ),
  { date: '2026-08-21', root: 'SPY1', settlement: 'pm', strike: 630, right: CALL, adjusted: true } as const
].map((one) => ({ ...one, date: one.date as IsoDate }))

/** Seconds before now: most prints are of the last minutes, some of the day before. */
const ago = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 200 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 7200 }) },
  { weight: 1, arbitrary: fc.integer({ min: 72_000, max: 90_000 }) }
)

const draft = fc.record({
  ago,
  fraction: fc.integer({ min: 0, max: 999_999 }),
  /** Microseconds by which it came late. */
  behind: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000_000 })),
  price: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 10_000, max: 6_400_000 })),
  size: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(24, 25, 99, 100, 999, 1000, 9999, 10_000, 25_000)),
  inside: fc.constantFrom('buy', 'sell', 'mid'),
  quote: fc.constantFrom('inside', 'bid', 'ask', 'locked', 'none'),
  instrument: fc.integer({ min: 0, max: listedSeries.length - 1 }),
  isMarked: fc.integer({ min: 0, max: 9 }).map((k) => k === 0),
  setsNoPrice: fc.integer({ min: 0, max: 4 }).map((k) => k === 0)
})
type Draft = typeof draft extends fc.Arbitrary<infer Value> ? Value : never

function printOf(kind: TapeKind, now: Instant, one: Draft): PlainPrint {
  const { price, size, quote, isMarked, inside } = one
  const [bid, ask] = {
    inside: [price - 1, price + 1],
    bid: [price, price + 5],
    ask: [Math.max(price - 5, 0), price],
    locked: [price, price],
    none: [undefined, undefined]
  }[quote]
  const instrument = kind === 'option' ? one.instrument : 0
  const adjusted = kind === 'option' && listedSeries[instrument].adjusted ? ADJUSTED : 0
  const unpriced = kind === 'stock' && one.setsNoPrice ? SETS_NO_PRICE : 0
  const judged = quote === 'ask' ? 'buy' : quote === 'bid' ? 'sell' : inside
  return {
    ts: 1000 * (now - 1000 * one.ago) - one.fraction,
    price,
    size,
    side: isMarked ? 'mid' : judged,
    instrument,
    flags: adjusted | unpriced | (isMarked ? MULTI_LEG : 0),
    ...(bid !== undefined && { bid, ask })
  } as PlainPrint
}

/** Prints by the date they happened on, in the order in which they arrived. */
function sessionsOf(symbol: string, kind: TapeKind, now: Instant, drafts: readonly Draft[], silentOne: boolean) {
  const arrived = drafts
    .map((one) => ({ print: printOf(kind, now, one), behind: one.behind }))
    .sort((a, b) => a.print.ts + a.behind - b.print.ts - b.behind)
    .map(({ print }) => print)
  const dates = [
    ...new Set([...arrived.map(({ ts }) => easternDate(ts / 1000)), ...(silentOne ? [easternDate(now)] : [])])
  ]
  return dates.map((session): PlainTape => {
    const prints = arrived.filter(({ ts }) => easternDate(ts / 1000) === session)
    return { symbol: ticker(symbol), kind, session, prints, series: listedSeries }
  })
}

const moments = ['09:31:00', '11:00:30', '12:17:42', '15:59:59', '16:00:00', '18:40:05'].map((time) =>
  eastern('2026-07-29', time)
)

/** SPY and two others, on both kinds of tapes, over today and the evening before. */
export const randomMarket: fc.Arbitrary<TapeMarket> = fc
  .record({
    now: fc.constantFrom(...moments),
    drafts: fc.array(
      fc.record({
        symbol: fc.constantFrom('SPY', 'SPY', 'AAPL', 'KO'),
        kind: fc.constantFrom('option', 'stock'),
        draft
      }),
      { maxLength: 120, size: 'max' }
    )
  })
  .map(({ now, drafts }) => ({
    now,
    tapes: ['SPY', 'AAPL', 'KO'].flatMap((symbol) =>
      (['option', 'stock'] as const).flatMap((kind) => {
        const its = drafts.filter((one) => one.symbol === symbol && one.kind === kind).map((one) => one.draft)
        return sessionsOf(symbol, kind, now, its, true)
      })
    )
  }))
