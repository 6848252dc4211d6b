import { describe, expect, test } from 'vitest'
import { CALL } from '../../src/market/chain.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { ink } from '../../src/plots/plot-frame.ts'
import { smilePicture } from '../../src/plots/smile-picture.ts'
import { smileOption } from '../../src/plots/smile-plot.ts'
import { svgOf } from '../../src/plots/svg.ts'
import { totalVariance } from '../../src/volatility/svi/svi.ts'
import { ladder } from '../support/hand-made.ts'
import { handMade, recordedMarket, syntheticMarket } from '../support/markets.ts'
import { chainOf, leaning, series, sliceOn } from '../volatility/chains.ts'
import { textsOf, xmlFault } from './xml.ts'

const month = '2026-08-28' as IsoDate
const wild = (strike: number) => leaning(strike) + (strike % 2 === 0 ? 0.08 : 0)
const fitted = chainOf([series(month), series('2026-09-18')])
const refused = chainOf([series(month, { sigma: wild })])

describe('the picture of a smile', () => {
  const picture = smilePicture(fitted, month)!
  const slice = sliceOn(fitted, month)

  test('has every out-of-the-money quote that a volatility prices, with its sides around the mid', () => {
    const { start, end } = fitted.expirations[slice.at]
    const outside = Array.from({ length: end - start }, (_, n) => start + n).filter((i) =>
      fitted.right[i] === CALL ? fitted.strike[i] >= slice.forward : fitted.strike[i] <= slice.forward
    )
    expect(picture.quotes.length).toBeGreaterThan(40)
    expect(picture.quotes.length).toBeLessThanOrEqual(outside.length)
    for (const { bid, mid, ask, strike, right } of picture.quotes) {
      expect(bid! < mid && mid < ask!).toBe(true)
      expect(right).toBe(strike >= slice.forward ? 'call' : 'put')
      expect(Math.abs(mid - 100 * leaning(strike))).toBeLessThan(0.5)
    }
  })

  test('marks those that were fitted', () => {
    const used = picture.quotes.filter((quote) => quote.used).map(({ strike }) => strike)
    expect(used).toEqual([...slice.points.strike])
  })

  test('has the fit as its curve, a little beyond the quotes', () => {
    const [first, last] = [picture.curve[0], picture.curve.at(-1)!]
    expect(first[0]).toBeLessThan(slice.points.strike[0])
    expect(last[0]).toBeGreaterThan(slice.points.strike[slice.points.size - 1])
    for (const [strike, iv] of picture.curve) {
      const exact = 100 * Math.sqrt(totalVariance(slice.svi!, Math.log(strike / slice.forward)) / slice.t)
      expect(iv).toBeCloseTo(exact, 9)
    }
  })

  test('of a refused fit ends with its quotes', () => {
    const { curve, slice, flags } = smilePicture(refused, month)!
    expect([slice.refusal, flags]).toEqual(['rough', []])
    expect(curve[0][0]).toBeCloseTo(slice.points.strike[0], 9)
    expect(curve.at(-1)![0]).toBeCloseTo(slice.points.strike[slice.points.size - 1], 9)
  })

  test('does not exist for a date that is not listed', () => {
    expect(smilePicture(fitted, '2026-08-29' as IsoDate)).toBeUndefined()
  })

  test('has the flags of the fit and of its neighbours', async () => {
    const market = await recordedMarket('SPY', '2026-07-29')
    if (market === undefined) return console.log('skipped: the recorded chains are not beside the project')
    const { flags, slice } = smilePicture(market.chain, '2027-06-17' as IsoDate)!
    expect(flags.map(({ kind }) => kind)).toEqual(['calendar', 'calendar', 'calendar'])
    for (const { strike, iv } of flags) {
      const k = Math.log(strike / slice.forward)
      expect(iv).toBeCloseTo(100 * Math.sqrt(totalVariance(slice.svi!, k) / slice.t), 9)
    }
  })
})

describe('drawn', () => {
  const drawn = (chain: typeof fitted, date: IsoDate = month) =>
    svgOf(smileOption(smilePicture(chain, date)!, 'made up'))
  const svg = drawn(fitted)
  const texts = textsOf(svg)
  const count = (pattern: RegExp) => [...svg.matchAll(pattern)].length

  test('it is well-formed and holds no figure that is none', async () => {
    const spy = await syntheticMarket('SPY', '2026-06-10', '10:31:17')
    const today = await syntheticMarket('SPY', '2026-06-10', '15:57:20')
    const narrow = chainOf([series(month, { strikes: ladder(99, 101, 1) })])
    const pictures = [
      svg,
      drawn(refused),
      drawn(narrow),
      drawn(spy.chain, spy.chain.expirations[9].date),
      drawn(today.chain, '2026-06-10' as IsoDate),
      drawn(handMade('no quotes').chain),
      drawn(handMade('all puts').chain),
      drawn(handMade('AM and PM series on one date').chain, '2026-09-18' as IsoDate)
    ]
    for (const each of pictures) {
      expect(xmlFault(each)).toBeUndefined()
      expect(each).not.toMatch(/NaN|Infinity|undefined|null/)
    }
  })

  test('it says what it shows, when and from where', () => {
    expect(texts).toContain('TEST smile, expiration 28 Aug 2026')
    expect(texts.some((text) => text.includes('30 days · spot 100 · forward 100.'))).toBe(true)
    expect(texts.some((text) => text.includes('2026-07-29 11:00 New York · source made up'))).toBe(true)
    expect(texts.some((text) => /^Fit accepted: RMS error of .* No arbitrage on the fitted curve\.$/.test(text))).toBe(
      true
    )
    for (const text of ['strike', 'implied volatility, %', 'put', 'call', 'bid to ask', 'SVI fit', 'spot 100']) {
      expect(texts).toContain(text)
    }
    expect(texts.filter((text) => text.startsWith('forward 100.'))).toHaveLength(1)
    expect(textsOf(drawn(refused))).toContain('Fit rejected: the best curve misses the quotes by too much.')
    expect(textsOf(drawn(refused))).toContain('between quotes')
  })

  test('it has a dot for each fitted quote and a bar with two caps', () => {
    const { quotes } = smilePicture(fitted, month)!
    const used = quotes.filter((quote) => quote.used)
    const puts = used.filter(({ right }) => right === 'put').length
    // One of each colour stands in the legend.
    expect(count(new RegExp(`fill="${ink.dot}"`, 'g'))).toBe(puts + 1)
    expect(count(new RegExp(`stroke="${ink.dot}"`, 'g'))).toBe(used.length - puts + 1)
    expect(count(new RegExp(`stroke="${ink.soft}" stroke-width="1.25"`, 'g'))).toBe(3 * used.length)
  })

  test('a flag beyond the strikes shown is told in words', async () => {
    const market = await recordedMarket('SPX', '2026-07-31')
    if (market === undefined) return console.log('skipped: the recorded chains are not beside the project')
    const words = textsOf(drawn(market.chain, '2026-08-03' as IsoDate))
    expect(words.some((text) => text.endsWith('2 arbitrage flags on the fitted curve, beyond these strikes.'))).toBe(
      true
    )
    expect(words.some((text) => text.includes('SPXW, settled PM'))).toBe(true)
  })
})
