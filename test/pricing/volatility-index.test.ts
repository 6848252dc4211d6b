import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { CALL, PUT } from '../../src/market/chain.ts'
import { ladder, type SeriesSketch, sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'

describe('an expiration without pairs', () => {
  const strikes = ladder(12, 30, 1)
  const listed = (date: string, forward: number, isPaired: boolean): SeriesSketch => ({
    date,
    settlement: 'am',
    strikes,
    quote: (strike, right) => {
      // Pairs at a forward of their own; without them calls alone are quoted.
      const inside = Math.max(right === CALL ? forward - strike : strike - forward, 0)
      if (!isPaired && right === PUT) return [Number.NaN, Number.NaN]
      return [inside + 0.4, inside + 0.5]
    }
  })
  const carriesOf = (...series: readonly SeriesSketch[]) =>
    priced(sketched({ symbol: 'VIX', date: '2026-07-29', time: '11:00', spot: 14, series })).carries

  test('has the forward between its neighbours, linear in total variance', () => {
    const [near, middle, far] = carriesOf(
      listed('2026-08-19', 17, true),
      listed('2026-09-16', 0, false),
      listed('2026-12-16', 20, true)
    )
    expect([near.fromParity, middle.fromParity, far.fromParity]).toEqual([true, false, true])
    const share = (middle.t - near.t) / (far.t - near.t)
    const variance = (1 - share) * near.forward ** 2 * near.t + share * far.forward ** 2 * far.t
    expect(middle.forward ** 2 * middle.t).toBeCloseTo(variance, 9)
    expect(middle.forward > near.forward && middle.forward < far.forward).toBe(true)
    expect([middle.spot, middle.exposureSpot]).toEqual([middle.forward, middle.forward])
  })

  test('has that of the nearest one before the first and after the last', () => {
    const [first, paired, last] = carriesOf(
      listed('2026-08-19', 0, false),
      listed('2026-09-16', 18, true),
      listed('2026-12-16', 0, false)
    )
    expect([first.forward, last.forward]).toEqual([paired.forward, paired.forward])
  })

  test('stands on the index where no expiration has pairs', () => {
    const [alone] = carriesOf(listed('2026-09-16', 0, false))
    expect(alone.forward / 14).toBeCloseTo(1, 1)
  })
})

const path = join(import.meta.dirname, '../../../shared/data/trades/vix-options-2016-06-01.csv.gz')
const file = existsSync(path) ? path : undefined
if (file === undefined)
  console.log('skipped: the recorded prints of VIX options need ../shared/data beside the project')

/** The newest quote of each July series that was printed beside a trade between one and two in the afternoon. */
function julyQuotes(path: string) {
  const [head, ...lines] = gunzipSync(readFileSync(path)).toString().trim().split('\n')
  const names = head.split(',')
  const rows = lines.map((line) => Object.fromEntries(line.split(',').map((value, k) => [names[k] ?? k, value])))
  const quotes = new Map<
    string,
    { readonly strike: number; readonly right: number; readonly quote: readonly [number, number] }
  >()
  const july = rows.filter(
    ({ expiration, quote_datetime }) =>
      expiration === '2016-07-20' && quote_datetime.slice(11) > '13' && quote_datetime.slice(11) < '14'
  )
  for (const row of july.toSorted((a, b) => (a['quote_datetime'] < b['quote_datetime'] ? -1 : 1))) {
    const [strike, right] = [Number(row['strike']), row['option_type'] === 'C' ? CALL : PUT]
    quotes.set(`${strike} ${right}`, { strike, right, quote: [Number(row['best_bid']), Number(row['best_ask'])] })
  }
  return [...quotes.values()]
}

test.skipIf(file === undefined)(
  'July options of the VIX of 2016-06-01 are on a forward of 17.6 where the index stood at 14.85',
  () => {
    const quotes = julyQuotes(file!)
    const chain = priced(
      sketched({
        symbol: 'VIX',
        date: '2016-06-01',
        time: '14:00',
        spot: 14.85,
        series: [
          {
            date: '2016-07-20',
            settlement: 'am',
            strikes: [...new Set(quotes.map(({ strike }) => strike))],
            quote: (strike, right) =>
              quotes.find((one) => one.strike === strike && one.right === right)?.quote ?? [Number.NaN, Number.NaN]
          }
        ]
      })
    )
    const [{ forward, fromParity, spot }] = chain.carries
    expect(fromParity).toBe(true)
    expect(Math.abs(forward - 17.61)).toBeLessThan(0.05)
    expect(spot).toBe(forward)
    const sigmaOf = (strike: number, right: number) =>
      chain.sigma[chain.strike.findIndex((one, i) => one === strike && chain.right[i] === right)]
    // The index itself as underlying gave the call 137 % and the put nothing.
    for (const sigma of [sigmaOf(17, CALL), sigmaOf(17, PUT), sigmaOf(18, PUT)]) {
      expect(sigma).toBeGreaterThan(0.77)
      expect(sigma).toBeLessThan(0.83)
    }
  }
)
