import { describe, expect, test } from 'vitest'
import { chainOfRoot } from '../../src/market/chain.ts'
import { comingDividends, type Dividend, knownFrom, withDividends } from '../../src/market/dividend.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { dividendsUntil } from '../../src/pricing/american/dividends/dividend-terms.ts'
import { eastern, sketched } from '../support/hand-made.ts'

const dividend = (exDate: string, amount: number, declared?: string): Dividend => ({
  exDate: exDate as IsoDate,
  amount,
  knownFrom: knownFrom(exDate as IsoDate, declared as IsoDate | undefined)
})

describe('a dividend is known', () => {
  test('from the midnight after its declaration', () => {
    expect(knownFrom('2026-09-18' as IsoDate, '2026-08-12' as IsoDate)).toBe(eastern('2026-08-13', '00:00'))
  })

  test('30 days before its ex-date where nobody says when it was declared', () => {
    expect(knownFrom('2026-09-18' as IsoDate, undefined)).toBe(eastern('2026-08-19', '00:00'))
  })
})

describe('to be expected at a moment', () => {
  const schedule = [
    dividend('2026-06-19', 1.8),
    dividend('2026-09-18', 1.95, '2026-08-12'),
    dividend('2026-12-18', 0, '2026-08-12')
  ]
  const at = (date: string, time = '12:00') =>
    comingDividends(schedule, eastern(date, time)).map(({ exDate }) => exDate)

  test('is what was known by then and has not gone ex', () => {
    expect(at('2026-08-12', '23:59')).toEqual([])
    expect(at('2026-08-13', '00:00')).toEqual(['2026-09-18'])
    expect(at('2026-09-17', '23:59')).toEqual(['2026-09-18'])
    expect(at('2026-09-18', '00:00')).toEqual([])
    expect(at('2026-06-18')).toEqual(['2026-06-19'])
  })

  test('a dividend that was taken back is none', () => {
    expect(at('2026-12-01')).toEqual([])
  })
})

describe('a chain', () => {
  const series = (date: string, root?: string) => ({ date, strikes: [90, 100], ...(root !== undefined && { root }) })
  const chain = sketched({
    symbol: 'KO',
    date: '2026-08-20',
    time: '12:45',
    spot: 100,
    series: [series('2026-09-18'), series('2026-10-16')]
  })
  const known = [
    dividend('2026-09-18', 1, '2026-08-12'),
    dividend('2026-09-15', 0.4, '2026-08-12'),
    dividend('2026-09-15', 0.6, '2026-08-14'),
    dividend('2026-09-25', 2, '2026-08-20')
  ]

  test('has the dividends that were to be expected at its moment, and is the same object without any', () => {
    expect(withDividends(chain, known).dividends).toEqual(known.slice(0, 3))
    expect(withDividends(chain, [])).toBe(chain)
    expect(withDividends(chain, [dividend('2026-08-20', 1)])).toBe(chain)
  })

  test('gives to an expiration those up to its day, as shares of the spot on the clock of the service', () => {
    const [september, october] = chain.expirations
    const found = dividendsUntil(withDividends(chain, known), september)
    expect(found.map(({ fraction }) => fraction)).toEqual([0.01, 0.01])
    // 26 and 29 days with half a session to run today: to the opening prices, 17.5 hours after the close before.
    expect(found[0].t).toBeCloseTo((25.5 + 17.5 / 24) / 365, 12)
    expect(found[1].t).toBeCloseTo((28.5 + 17.5 / 24) / 365, 12)
    expect(dividendsUntil(withDividends(chain, known), october)).toEqual(found)
    expect(dividendsUntil(chain, october)).toEqual([])
  })

  test('leaves out what would be more than the share is worth', () => {
    const absurd = withDividends(chain, [dividend('2026-09-10', 100, '2026-08-01')])
    expect(dividendsUntil(absurd, chain.expirations[1])).toEqual([])
  })

  test('keeps them where a part of it is taken', () => {
    const part = chainOfRoot(withDividends(chain, known), chain.expirations[0].root as Ticker)
    expect(part?.dividends).toEqual(known.slice(0, 3))
  })
})
