import type { DailyBar } from '../../src/market/bar.ts'
import { previousTradingDay } from '../../src/market/calendar.ts'
import { CALL, UNKNOWN } from '../../src/market/chain.ts'
import { datedBefore, uniformStream, walk } from '../volatility/made-up-bars.ts'
import { type ChainSketch, ladder, type SeriesSketch, sketched } from './hand-made.ts'
import { type Market, priced } from './markets.ts'

const day = '2026-07-29'
const times = ['08:15', '09:31', '11:00', '12:00', '14:30', '15:45', '15:56:30', '15:59', '17:05']
const dates = [day, '2026-07-30', '2026-08-05', '2026-08-28', '2026-10-16', '2027-01-15']

/** Ways in which open interest is spread over calls and puts. A draw is uniform from 0 to 1. */
const books: readonly ((right: number, draw: number) => number)[] = [
  (_, draw) => Math.floor(3000 * draw),
  (right, draw) => Math.floor((right === CALL ? 9000 : 300) * draw),
  (right, draw) => Math.floor((right === CALL ? 300 : 9000) * draw),
  (right, draw) => (right === CALL ? Math.floor(500 * draw) : 0),
  (right, draw) => (right === CALL ? 0 : Math.floor(500 * draw)),
  (_, draw) => (draw > 0.85 ? 20_000 : 1),
  (_, draw) => (draw > 0.5 ? UNKNOWN : Math.floor(100 * draw)),
  () => 40,
  () => 0,
  (_, draw) => (draw > 0.9 ? 1 : 0)
]

const unquoted = () => [Number.NaN, Number.NaN] as const

/** Histories of calm and of wild prices. */
const histories = [0.004, 0.01, 0.03].map((session, n) =>
  datedBefore(walk(3 + n, 70, { session }) as readonly DailyBar[], day as never)
)

/**
 * A small market whose spot, strikes, open interest, quotes, volatilities, hour and history are drawn from a seed: walls
 * on either side of spot or on one, spot outside all strikes or on one, nothing held, nothing quoted.
 */
export function alteredMarket(seed: number): Market {
  const draw = uniformStream(7919 * seed + 17)
  for (let skipped = 0; skipped < 5; skipped++) draw()
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(items.length * draw())]
  const step = pick([1, 2.5, 5])
  const spot = pick([100, 100 + 3 * draw(), 90 + 20 * draw(), 70 + 60 * draw()])
  const strikes = ladder(100 - 4 * step, 100 + 4 * step, step)
  const book = pick(books)
  const base = pick([0.08, 0.2, 0.45, 1.2])
  const tilt = pick([-0.004, 0, 0.004])
  const gaps = pick([0, 0, 0, 0.2, 1])
  const listed = dates.filter(() => draw() > 0.45)
  const series = (listed.length === 0 ? [pick(dates)] : listed).map((date): SeriesSketch => {
    const level = base * (0.7 + 0.6 * draw())
    return {
      date,
      strikes,
      sigma: (strike) => Math.max(0.03, level + tilt * (strike - 100)),
      oi: (_, right) => book(right, draw()),
      volume: () => Math.floor(200 * draw() ** 3),
      quote: () => (draw() < gaps ? unquoted() : undefined)
    }
  })
  const sketch: ChainSketch = { date: day, time: pick(times), spot, series }
  const hasPrior = draw() > 0.3
  return {
    name: `altered ${'x'.repeat(seed % 10)}`,
    chain: priced(sketched(sketch)),
    prior: hasPrior
      ? priced(
          sketched({
            ...sketch,
            date: previousTradingDay(day as never),
            time: '16:00',
            spot: spot * (0.97 + 0.06 * draw())
          })
        )
      : undefined,
    vix: draw() > 0.3 ? 10 + 30 * draw() : undefined,
    bars: pick(histories)
  }
}
