import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPlace } from '../src/state/page/place.ts'
import { withAdded, withoutPanel, withPanel, withSize, withSwapped } from '../src/state/workspace/layout-changes.ts'
import { readShared, sharedText } from '../src/state/workspace/layout-text.ts'
import {
  isSplit,
  KINDS,
  type Layout,
  LINKED,
  LINKS,
  MOST_PANELS,
  PAGE_KINDS,
  type PanelSpec,
  type Part,
  panelsOf,
  placeOfPanel,
  readLayout
} from '../src/state/workspace/layouts.ts'
import { PRESETS } from '../src/state/workspace/preset-layouts.ts'

const one = (symbol: string, more: Partial<PanelSpec> = {}): PanelSpec => ({
  kind: 'chart',
  symbol,
  link: 'blue',
  query: '',
  size: 1,
  ...more
})
const symbolsOf = (root: Part) => panelsOf(root).map(({ symbol }) => symbol)
const roundTrip = (layout: Layout) => readLayout(JSON.parse(JSON.stringify(layout)))

type Step = (root: Part, at: number) => Part
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Step>(
    (root, at) => withAdded(root, at, 'columns', one('IWM')),
    (root, at) => withAdded(root, at, 'rows', one('TLT')),
    withoutPanel,
    (root, at) => withSwapped(root, at, 1),
    (root, at) => withSwapped(root, at, -1),
    (root, at) => withSize(root, at, 'columns', 1),
    (root, at) => withSize(root, at, 'rows', -1)
  ),
  fc.constantFrom(...KINDS).map(
    (kind): Step =>
      (root, at) =>
        withPanel(root, at, { kind })
  )
)

describe('an arrangement', () => {
  test('stays one whatever is done to it, and is read as it was written', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(PRESETS)),
        fc.array(fc.tuple(step, fc.nat(MOST_PANELS)), { maxLength: 30 }),
        (preset, steps) => {
          let { root } = preset
          for (const [act, at] of steps) root = act(root, at % panelsOf(root).length)
          const layout = { ...preset, root }
          expect(panelsOf(root).length).toBeGreaterThanOrEqual(1)
          expect(panelsOf(root).length).toBeLessThanOrEqual(MOST_PANELS)
          expect(roundTrip(layout)).toEqual(layout)
          expect(readShared(sharedText(layout))).toEqual(layout)
          const nested = (part: Part): boolean =>
            isSplit(part) &&
            (part.parts.length < 2 ||
              part.parts.some((each) => nested(each) || (isSplit(each) && each.split === part.split)))
          expect(nested(root)).toBe(false)
        }
      )
    )
  })

  test('takes a panel beside or below another, and gives its room back', () => {
    const beside = withAdded(one('SPY', { size: 4 }), 0, 'columns', one('QQQ'))
    const below = withAdded(beside, 1, 'rows', one('IWM'))
    expect(symbolsOf(below)).toEqual(['SPY', 'QQQ', 'IWM'])
    expect(below).toMatchObject({ split: 'columns', parts: [{ symbol: 'SPY' }, { split: 'rows' }] })
    expect(withoutPanel(withoutPanel(below, 2), 1)).toEqual(one('SPY', { size: 4 }))
    expect(withoutPanel(one('SPY'), 0)).toEqual(one('SPY'))
  })

  test('gives a panel more of the nearest row or column it stands in', () => {
    const root = withAdded(withAdded(one('SPY'), 0, 'columns', one('QQQ')), 1, 'rows', one('IWM'))
    expect(withSize(root, 2, 'rows', 1)).toMatchObject({ parts: [{ size: 1 }, { parts: [{ size: 1 }, { size: 2 }] }] })
    expect(withSize(root, 2, 'columns', 1)).toMatchObject({ parts: [{ size: 1 }, { size: 2 }] })
    expect(withSize(root, 0, 'rows', 1)).toEqual(root)
  })

  test('is read out of what people wrote by hand, within its bounds', () => {
    const ten = { split: 'columns', parts: Array.from({ length: 10 }, () => one('SPY')) }
    for (const wrong of [undefined, 1, {}, { name: 'a' }, { name: '', root: one('SPY') }, { name: 'a', root: ten }])
      expect(readLayout(wrong)).toBe(undefined)
    expect(readLayout({ name: 'a', root: one('not a ticker') })).toBe(undefined)
    let deep: unknown = one('SPY')
    for (let k = 0; k < 9; k++) deep = { split: 'rows', parts: [deep] }
    expect(readLayout({ name: 'a', root: deep })).toBe(undefined)
    expect(readLayout({ name: 'a', root: { kind: 'smile', symbol: 'QQQ', link: 'none' } })?.root).toEqual(
      one(LINKED, { kind: 'smile' })
    )
  })

  test('all that stand for everybody are readable', () => {
    for (const preset of Object.values(PRESETS)) expect(roundTrip(preset)).toEqual(preset)
  })
})

describe('what a panel shows', () => {
  const page = readPlace('#/workspace/SPY?at=2026-11-20T11:30:00&expirations=7d')
  const green = '#/workspace/IWM?at=2026-11-19T15:00:00&expirations=0dte'
  const shown = (spec: Partial<PanelSpec>) => {
    const { symbol, at, expirations, every } = placeOfPanel(one(LINKED, { query: 'every=5m', ...spec }), green, page)
    return [symbol, at, expirations, every]
  }

  test('follows the page, the green group, or nothing', () => {
    expect(shown({})).toEqual(['SPY', '2026-11-20T11:30:00', '7d', '5m'])
    expect(shown({ symbol: 'QQQ' })).toEqual(['QQQ', '2026-11-20T11:30:00', '7d', '5m'])
    expect(shown({ link: 'green' })).toEqual(['IWM', '2026-11-19T15:00:00', '0dte', '5m'])
    expect(shown({ link: 'none', symbol: 'TLT' })).toEqual(['TLT', undefined, undefined, '5m'])
    expect(shown({ link: 'none', symbol: 'TLT', query: 'at=2026-11-18T10:00:00' })).toEqual([
      'TLT',
      '2026-11-18T10:00:00',
      undefined,
      undefined
    ])
  })

  test.each(PAGE_KINDS)('%s is always of the page', (kind) => {
    for (const link of LINKS)
      expect(withPanel(one('QQQ'), 0, { kind, link })).toMatchObject({ symbol: LINKED, link: 'blue' })
  })
})
