import { describe, expect, test } from 'vitest'
import { byStrike, netGex, sumOf } from '../../src/exposure/by-strike.ts'
import { keyLevels } from '../../src/exposure/levels/key-levels.ts'
import { liveScope } from '../../src/exposure/scope.ts'
import { gammaFlip } from '../../src/exposure/spot-ladder/gamma-flip.ts'
import { gammaOption, gammaPicture } from '../../src/plots/gamma-plot.ts'
import { svgOf } from '../../src/plots/svg.ts'
import { syntheticMarket } from '../support/markets.ts'
import { textsOf, xmlFault } from './xml.ts'

const { chain } = await syntheticMarket('SPY', '2026-06-10', '10:31:17')

describe('the picture of gamma exposure', () => {
  const picture = gammaPicture(chain)!

  test('has the strikes near spot, ascending, and the levels of the whole chain', () => {
    const strikes = picture.bars.map(({ strike }) => strike)
    expect(strikes).toEqual(strikes.toSorted((a, b) => a - b))
    expect(strikes.every((strike) => Math.abs(strike / chain.spot - 1) <= 0.1)).toBe(true)
    expect(picture.flip).toBe(gammaFlip(liveScope(chain)))
    expect(picture.callWall).toBe(keyLevels(liveScope(chain)).callWall?.strike)
    const shown = sumOf(picture.bars, (bar) => Math.abs(bar.netGex))
    const all = sumOf(byStrike(liveScope(chain)), (row) => Math.abs(netGex(row)))
    expect(shown / all).toBeGreaterThan(0.5) // what lies further out is the smaller part
  })

  test('is whole SVG that names spot, flip and both signs', () => {
    const svg = svgOf(gammaOption(picture, 'made up'))
    expect(xmlFault(svg)).toBeUndefined()
    const texts = textsOf(svg).join('\n')
    for (const text of [
      'net gamma exposure by strike',
      'spot ',
      'flip ',
      'dealers dampen',
      'dealers amplify',
      'made up'
    ]) {
      expect(texts).toContain(text)
    }
  })
})
