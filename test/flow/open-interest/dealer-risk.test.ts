import { expect, test } from 'vitest'
import { dealerRisk, flowDirection } from '../../../src/flow/open-interest/dealer-risk.ts'
import { flowReading } from '../../../src/wording/flow-reading.ts'

test.each([
  [100, 200, 0, 'no_flow'],
  [100, -1, 3, 'regime_flip'],
  [-1e-200, 1e-200, 3, 'regime_flip'],
  [0, 5, 3, 'regime_flip'],
  [0, 0, 3, 'neutral'],
  [100, 104.9, 3, 'neutral'],
  [100, 105, 3, 'amplifying'],
  [-100, -105, 3, 'amplifying'],
  [-100, -95, 3, 'dampening'],
  [100, 0, 3, 'dampening']
] as const)('from %d to %d with %d series of flow is %s', (settled, live, series, direction) => {
  expect(flowDirection(settled, live, series)).toBe(direction)
})

test('a shift is a fraction of the settled figure with its sign', () => {
  const { gex, dex } = dealerRisk({ gex: -200, dex: 0 }, { gex: 100, dex: 0 }, 1)
  expect(gex).toEqual({ settled: -200, live: 100, adjustment: 300, share: -1.5 })
  expect(dex.share).toBe(0)
  expect(dealerRisk({ gex: 0, dex: 0 }, { gex: 0, dex: 7 }, 1).dex.share).toBeUndefined()
})

test.each([
  'neutral',
  'amplifying',
  'dampening',
  'regime_flip'
] as const)('%s says how much and how many', (direction) => {
  expect(flowReading(direction, -0.12345, { seriesWithFlow: 1203, moved: 45_678, liveGex: -1 })).toMatch(
    /^Trades changed estimated positions by 45,678 contracts in 1,203 series .*12\.3%.*\.$/
  )
})
test('no figure is invented where there was no gamma', () => {
  expect(flowReading('regime_flip', undefined, { seriesWithFlow: 1, moved: 1, liveGex: 5 })).toBe(
    'Trades changed estimated positions by 1 contract in 1 series and made dealer gamma positive: hedging now dampens moves.'
  )
})
