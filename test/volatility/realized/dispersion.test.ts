import { expect, test } from 'vitest'
import { volatilityContributions } from '../../../src/volatility/realized/dispersion.ts'

test('members contribute weight times volatility, the largest first, equal ones by symbol', () => {
  const member = (symbol: string, weight: number, sigma: number) => ({ symbol, weight, sigma })
  const members = [member('KO', 0.25, 0.2), member('AAPL', 0.25, 0.2), member('TSLA', 0.5, 0.5)]
  expect(volatilityContributions(members)).toEqual([
    { symbol: 'TSLA', weight: 0.5, sigma: 0.5, contribution: 0.25 },
    { symbol: 'AAPL', weight: 0.25, sigma: 0.2, contribution: 0.05 },
    { symbol: 'KO', weight: 0.25, sigma: 0.2, contribution: 0.05 }
  ])
})
