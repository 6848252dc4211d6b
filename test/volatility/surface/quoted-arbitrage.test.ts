import { expect, test } from 'vitest'
import { CALL } from '../../../src/market/chain.ts'
import { type AcceptedSlice, slices } from '../../../src/volatility/smile/slice.ts'
import type { ArbitrageFlag } from '../../../src/volatility/surface/arbitrage.ts'
import { arbitrageSource } from '../../../src/volatility/surface/quoted-arbitrage.ts'
import { type ChainSketch, ladder, sketched } from '../../support/hand-made.ts'
import { priced } from '../../support/markets.ts'

const strikes = ladder(80, 120, 2.5)
const sketch = (sigmas: readonly [near: number, far: number], more: object = {}): ChainSketch => ({
  date: '2026-07-29',
  time: '11:00',
  spot: 100,
  series: [
    { date: '2026-08-28', strikes, sigma: sigmas[0], ...more },
    { date: '2026-10-16', strikes, sigma: sigmas[1] }
  ]
})

/** A chain with a flag at its forward, as if the fit showed it. */
function flagged(sketched: ReturnType<typeof priced>, kind: 'butterfly' | 'calendar', k = 0) {
  // A smile with arbitrage in its quotes may have no accepted fit; what is checked are its quotes.
  const [earlier, later] = slices(sketched) as readonly AcceptedSlice[]
  const flag: ArbitrageFlag =
    kind === 'calendar'
      ? { kind, earlier, later, k, value: 0.01 }
      : { kind, slice: earlier, k, condition: 'durrleman_g', value: -0.1 }
  return arbitrageSource(sketched, flag)
}

test('sound quotes blame the fit', () => {
  const chain = priced(sketched(sketch([0.2, 0.2])))
  expect([flagged(chain, 'butterfly'), flagged(chain, 'calendar')]).toEqual(['fit', 'fit'])
})

test('an earlier bid above the later ask is in the quotes, and only where both are quoted', () => {
  // Total variance falls from 0.45² for a month to 0.2² for eleven weeks.
  const chain = priced(sketched(sketch([0.45, 0.2])))
  expect(flagged(chain, 'calendar')).toBe('quotes')
  expect(flagged(chain, 'calendar', 0.9)).toBe('fit')
})

test('a body that is bid above its wings is in the quotes, and only around that body', () => {
  const quote = (strike: number, right: number) => (strike === 105 && right === CALL ? ([9, 9.1] as const) : undefined)
  const chain = priced(sketched(sketch([0.2, 0.2], { quote })))
  const { forward } = slices(chain)[0]
  expect(flagged(chain, 'butterfly', Math.log(105 / forward))).toBe('quotes')
  expect(flagged(chain, 'butterfly', Math.log(90 / forward))).toBe('fit')
})
