import { answerBytes } from '../src/api/answer.ts'
import { bars } from '../src/endpoints/bars/bars.ts'
import type { BarStep } from '../src/endpoints/bars/slots.ts'
import type { MinuteBuckets } from '../src/flow/tape-views.ts'
import type { DailyBar } from '../src/market/bar.ts'
import { type Session, session, tradingDays } from '../src/market/calendar.ts'
import { PRICE_UNIT } from '../src/market/print.ts'
import { type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../src/market/units.ts'
import { type Figure, median, report } from './support/figure.ts'

// Cost of the bars of a chart once the sums of the stock prints by minute are at hand: what a worker does for a request of
// /v1/bars. A chart asks anew for each part that it scrolls to, so more than some 50 ms would be felt.
const symbol = 'SPY' as Ticker
const sessions = tradingDays('2026-07-01' as IsoDate, '2026-07-31' as IsoDate).map((date) => session(date)!)
const days = tradingDays('2022-08-01' as IsoDate, '2026-07-30' as IsoDate)

/** A price that moves from minute to minute, in units of the tape. */
const priceAt = (k: number) => 6_300_000 + Math.round(20_000 * Math.sin(k / 37))

/** Sums of a session in which each minute has prints. */
function tapeOf({ date, open, close }: Session): MinuteBuckets {
  const length = (close - open) / MILLISECONDS_PER_MINUTE
  const floats = (of: (k: number) => number) => Float64Array.from({ length }, (_, k) => of(k))
  const whole = (of: (k: number) => number) => Int32Array.from({ length }, (_, k) => of(k))
  return {
    symbol,
    kind: 'stock',
    session: date,
    source: 'recorded',
    unit: PRICE_UNIT,
    known: close,
    version: 1,
    silent: false,
    length,
    expirations: [],
    minute: floats((k) => open + k * MILLISECONDS_PER_MINUTE),
    expiration: whole(() => 0),
    bought: floats(() => 60_000),
    sold: floats(() => 55_000),
    other: floats(() => 5000),
    trades: whole(() => 900),
    biggest: whole(() => 8000),
    biggestAt: floats((k) => open + k * MILLISECONDS_PER_MINUTE),
    newest: floats((k) => open + (k + 1) * MILLISECONDS_PER_MINUTE - 1),
    money: floats((k) => 120_000 * priceAt(k)),
    pricedSize: floats(() => 120_000),
    boughtMoney: floats((k) => 60_000 * priceAt(k)),
    soldMoney: floats((k) => 55_000 * priceAt(k)),
    high: whole((k) => priceAt(k) + 900),
    low: whole((k) => priceAt(k) - 900),
    open: whole(priceAt),
    close: whole((k) => priceAt(k + 1))
  }
}

const dailyOf = (date: IsoDate, k: number): DailyBar => {
  const close = priceAt(k) * PRICE_UNIT
  return { date, open: close - 1, high: close + 2, low: close - 3, close, volume: 6e7 }
}

/** Median time of an answer, milliseconds, and its rows. */
function answering(every: BarStep, from: Session | undefined, prints: readonly MinuteBuckets[]) {
  const { close: asOf } = sessions.at(-1)!
  const params = { symbol, every, from: from?.open, to: undefined, fields: [] }
  const pastPrices = { asOf, quote: undefined, days: days.map(dailyOf), figures: undefined, generated: [], prints }
  const times: number[] = []
  let bytes: Uint8Array = new Uint8Array()
  for (let k = -10; k < 31; k++) {
    const startedAt = performance.now()
    bytes = answerBytes(bars, { params, inputs: { pastPrices }, body: undefined, caller: [] })
    if (k >= 0) times.push(performance.now() - startedAt)
  }
  const rows: number = JSON.parse(new TextDecoder().decode(bytes)).dt.length
  return { milliseconds: median(times), rows }
}

export async function benchmark(): Promise<readonly Figure[]> {
  const tapes = sessions.map(tapeOf)
  const [first, last] = [sessions[0], sessions.at(-1)!]
  const asked = [
    ['a session of 1m bars from prints', '1m', last, tapes.slice(-1), 50],
    ['a month of 1m bars from prints', '1m', first, tapes, 200],
    ['a month of 1h bars from prints', '1h', first, tapes, 50],
    ['a year of 1d bars', '1d', undefined, tapes.slice(-1), 50],
    ['three years of 1w bars', '1w', undefined, tapes.slice(-1), 50]
  ] as const
  return asked.map(([name, every, from, prints, atMost]) => {
    const { milliseconds, rows } = answering(every, from, prints)
    return { name: `${name}, ${rows} rows`, value: milliseconds, unit: 'ms', atMost }
  })
}

await report(import.meta.url, benchmark)
