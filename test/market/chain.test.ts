import { expect, test } from 'vitest'
import { headerOf } from '../../src/market/chain.ts'
import type { Ticker } from '../../src/market/units.ts'

test('the header of a chain tells its source, where several may serve', () => {
  const quote = { last: 100, bid: 99, ask: 101, previousClose: 98 }
  const header = { symbol: 'SPY' as Ticker, asOf: 1, delay: 0, spot: 100, quote, source: 'tradier' }
  expect(headerOf({ ...header, size: 0, strike: new Float64Array() } as never)).toEqual(header)
})
