import { expect, test } from 'vitest'
import { type CardFigure, fieldOf, figureOf, keyOf } from '../src/state/page/card-figure.ts'
import { CARDS, RECORDED } from '../src/state/page/place.ts'

const todays = (card: (typeof CARDS)[number]): CardFigure => ({ card, set: '0dte' })

test('a series is kept of every figure of the page, and of five of what expires today', () => {
  for (const card of CARDS) expect(fieldOf({ card })).toBe(card === 'magnet' ? 'zero_dte.magnet' : card)
  expect(CARDS.flatMap((card) => fieldOf(todays(card)) ?? [])).toEqual([
    'zero_dte.net_gex',
    'zero_dte.net_chex',
    'zero_dte.call_wall',
    'zero_dte.put_wall',
    'zero_dte.magnet'
  ])
  expect(fieldOf({ card: 'net_gex', set: '2026-11-27' })).toBeUndefined()
})

test('a field leads to its figure and the figure back to the field', () => {
  for (const field of [...RECORDED, 'net_gex', 'max_pain', 'zero_dte.magnet', 'zero_dte.call_wall'])
    expect(fieldOf(figureOf(field)!)).toBe(field)
  expect(figureOf('pc_ratio_oi')).toBeUndefined()
  expect(figureOf('zero_dte.net_dex')).toBeUndefined()
})

test('figures of different expirations have different names in a page', () => {
  const figures: readonly CardFigure[] = [
    { card: 'net_gex' },
    todays('net_gex'),
    { card: 'net_gex', set: '2026-11-27' }
  ]
  expect(new Set(figures.map(keyOf)).size).toBe(3)
})
