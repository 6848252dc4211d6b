import { expect, test } from 'vitest'
import type { IsoDate } from '../../src/market/units.ts'
import { forwardRatio } from '../../src/pricing/forward-ratio.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'
import { ladder, type SeriesSketch, sketched } from '../support/hand-made.ts'
import { priced } from '../support/markets.ts'

const day = (text: string) => text as IsoDate
const series: SeriesSketch = { date: '2026-08-28', strikes: ladder(90, 110, 2.5) }
const on = (...more: readonly Partial<SeriesSketch>[]): PricedChain =>
  priced(
    sketched({
      symbol: 'SPX',
      date: '2026-07-29',
      time: '11:00',
      spot: 100,
      series: more.map((one) => ({ ...series, root: 'SPXW', ...one }))
    })
  )
const logOf = ({ carries }: PricedChain, at: number) => Math.log(carries[at].forward / carries[at].spot)

test('on an expiration it is its parity forward over spot, the AM-settled one of two', () => {
  const chain = on({ date: '2026-09-18', root: 'SPX', settlement: 'am' }, { date: '2026-09-18' })
  const found = forwardRatio(chain, day('2026-09-18'))!
  expect(found.ratio).toBeCloseTo(Math.exp(logOf(chain, 0)), 14)
  expect(found.ratio).not.toBe(Math.exp(logOf(chain, 1)))
  expect(found.rate).toBe(chain.carries[0].rate)
  expect(found.impliedYield).toBeCloseTo(found.rate - Math.log(found.ratio) / (51 / 365), 14)
})

test('between expirations its logarithm is linear in days', () => {
  const chain = on({}, { date: '2026-10-16' })
  const share = 21 / 49 // from 30 days to 79, at 51
  const expected = (1 - share) * logOf(chain, 0) + share * logOf(chain, 1)
  expect(Math.log(forwardRatio(chain, day('2026-09-18'))!.ratio)).toBeCloseTo(expected, 14)
})

test('beyond them the nearest carries on, whether it lies before or behind', () => {
  for (const date of ['2026-08-28', '2026-12-18']) {
    const chain = on({ date })
    const [{ rate, dividendYield }] = chain.carries
    const found = forwardRatio(chain, day('2026-09-18'))!
    expect(found.ratio).toBeCloseTo(Math.exp(((rate - dividendYield) * 51) / 365), 14)
    expect(found.impliedYield).toBeCloseTo(dividendYield, 12)
  }
})

test('without a parity forward there is none', () => {
  expect(forwardRatio(on({ quote: () => [Number.NaN, Number.NaN] }), day('2026-09-18'))).toBeUndefined()
})
