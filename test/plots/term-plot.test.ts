import { describe, expect, test } from 'vitest'
import { ink, scale } from '../../src/plots/plot-frame.ts'
import { svgOf } from '../../src/plots/svg.ts'
import { termOption, termPicture } from '../../src/plots/term-plot.ts'
import { slices } from '../../src/volatility/smile/slice.ts'
import { referenceSmile } from '../../src/volatility/term/reference-slice.ts'
import { ladder } from '../support/hand-made.ts'
import { handMade, syntheticMarket } from '../support/markets.ts'
import { chainOf, leaning, quotedWhere, series } from '../volatility/chains.ts'
import { textsOf, xmlFault } from './xml.ts'

const wild = (strike: number) => leaning(strike) + (strike % 2 === 0 ? 0.08 : 0)
const mixed = chainOf([
  series('2026-07-29', { strikes: ladder(90, 110, 1) }),
  series('2026-08-28'),
  series('2026-08-31', { sigma: wild }),
  series('2026-09-18', { quote: quotedWhere((strike) => strike < 90) }),
  series('2027-06-18')
])
const picture = termPicture(mixed)!
const drawn = (chain: typeof mixed) => svgOf(termOption(termPicture(chain)!, 'made up'))

describe('the picture of a term structure', () => {
  test('has every live expiration, fitted or not, with its volatility at the forward', () => {
    expect(picture.points.map(({ date, refusal }) => [date, refusal])).toEqual(
      slices(mixed).map(({ date, refusal }) => [date, refusal])
    )
    const [, august, wildOne, oneSided] = picture.points
    expect(august.iv).toBeCloseTo(100 * leaning(100.26), 0)
    expect([wildOne.refusal, wildOne.iv === undefined]).toEqual(['rough', false])
    expect([oneSided.refusal, oneSided.iv]).toEqual(['few_points', undefined])
  })

  test('names the expiration that stands for the chain', () => {
    expect(picture.reference).toBe(referenceSmile(mixed)!.date)
  })

  test('does not exist where nothing is live', () => {
    expect(termPicture(handMade('nothing left after the close').chain)).toBeUndefined()
  })
})

describe('drawn', () => {
  test('it is well-formed, and says what it shows', async () => {
    const spx = await syntheticMarket('SPX', '2026-09-18', '11:15')
    for (const svg of [drawn(mixed), drawn(spx.chain), drawn(handMade('no quotes').chain)]) {
      expect(xmlFault(svg)).toBeUndefined()
      expect(svg).not.toMatch(/NaN|Infinity|undefined|null/)
    }
    const texts = textsOf(drawn(mixed))
    expect(texts).toContain('TEST at-the-money term structure')
    expect(texts).toContain('spot 100 · 2026-07-29 11:00 New York · source made up')
    expect(texts).toContain('Fit accepted for 2 of 5 expirations.')
    for (const text of ['1 week', '1 month', '6 months', 'rough', 'few points', 'refused: no volatility']) {
      expect(texts).toContain(text)
    }
    expect(texts.some((text) => /^reference: [\d.]+%, 30 days$/.test(text))).toBe(true)
  })

  test('it has a dot for each accepted fit and another sign for each refused one', () => {
    const svg = drawn(mixed)
    const count = (pattern: string) => [...svg.matchAll(new RegExp(pattern, 'g'))].length
    // One of each stands in the legend.
    expect(count(`fill="${ink.strong}"`)).toBe(2 + 1)
    expect(count(`stroke="${ink.warn}"`)).toBe(3 + 2)
  })
})

test.each([
  [
    [10, 20],
    {
      min: 8,
      max: 22,
      interval: 2
    }
  ],
  [
    [15.1, 15.6],
    {
      min: 14.8,
      max: 16,
      interval: 0.2
    }
  ],
  [
    [0.3],
    {
      min: 0,
      max: 0.6,
      interval: 0.1
    }
  ],
  [[], undefined]
])('an axis around %j has whole steps and room', (values, expected) => {
  const found = scale(values)
  if (expected === undefined) return expect(found).toBeUndefined()
  expect(found!.min).toBeCloseTo(expected.min, 9)
  expect(found!.max).toBeCloseTo(expected.max, 9)
  expect(found!.interval).toBeCloseTo(expected.interval, 9)
})
