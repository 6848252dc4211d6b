import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { CALL, PUT } from '../../src/market/chain.ts'
import { sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'

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
