import { describe, expect, test } from 'vitest'
import { arbitrageFlags, butterflyFlags, calendarFlags } from '../../../src/volatility/surface/arbitrage.ts'
import { surfaceMoneyness } from '../../../src/volatility/surface/total-variance-surface.ts'
import { durrleman, totalVariance } from '../../../src/volatility/svi/svi.ts'
import { acceptedOf, flat, vogt } from '../generated.ts'

const clean = acceptedOf({ a: 0.002, b: 0.08, rho: -0.6, m: 0.03, sigma: 0.12 }, 0.25)
/** Steep wings over a sharp vertex: negative density beside it. */
const sharp = acceptedOf({ a: 0.0008, b: 0.25, rho: 0, m: 0.1, sigma: 0.01 }, 0.1)

describe('butterfly flags', () => {
  test('are absent on a slice without arbitrage', () => {
    expect(butterflyFlags(clean)).toEqual([])
    expect(butterflyFlags(acceptedOf(flat(0.2, 0.1), 0.1))).toEqual([])
  })

  test('stand at the worst node of each run of nodes with g below -0.001', () => {
    const reach = Math.max(0.1, 5 * Math.sqrt(totalVariance(sharp.svi, 0)))
    const g = surfaceMoneyness.filter((k) => Math.abs(k) <= reach).map((k) => ({ k, g: durrleman(sharp.svi, k) }))
    const bad = g.filter((node) => node.g < -0.001)
    const flags = butterflyFlags(sharp)
    expect(bad.length).toBeGreaterThan(flags.length)
    expect(flags.length).toBeGreaterThan(0)
    expect(flags[0].value).toBe(durrleman(sharp.svi, flags[0].k))
    expect(Math.min(...flags.map(({ value }) => value))).toBe(Math.min(...bad.map((node) => node.g)))
    for (const flag of flags) expect(flag).toMatchObject({ kind: 'butterfly', condition: 'durrleman_g', slice: sharp })
  })

  test('are set to the end of the quotes, beyond |k| = 0.5', () => {
    const slice = (from: number) => acceptedOf(vogt, 1, 365, [from, 1])
    const [flag, ...more] = butterflyFlags(slice(-1))
    expect(more).toEqual([])
    const nodes = Array.from({ length: 81 }, (_, j) => (j - 40) / 40)
    const worst = nodes.reduce((least, k) => (durrleman(vogt, k) < durrleman(vogt, least) ? k : least))
    expect(worst).toBeGreaterThan(0.8)
    expect(flag).toMatchObject({ k: worst, value: durrleman(vogt, worst), condition: 'durrleman_g' })
    expect(butterflyFlags(acceptedOf(vogt, 1, 365, [-0.4, 0.4]))).toEqual([])
  })

  test('say so where the curvature itself is wrong', () => {
    const broken = acceptedOf({ a: 0.04, b: -0.01, rho: 0, m: 0, sigma: 0.2 }, 1)
    expect(butterflyFlags(broken)[0].condition).toBe('d2w_dk2')
    expect(butterflyFlags(broken)[0].value).toBeLessThan(0)
  })
})

describe('calendar flags', () => {
  const later = acceptedOf(flat(0.2, 0.5), 0.5)

  test('are absent where total variance rises', () => {
    expect(calendarFlags(acceptedOf(flat(0.2, 0.25), 0.25), later)).toEqual([])
    expect(calendarFlags(later, later)).toEqual([])
  })

  test('merge a fall over all nodes into one', () => {
    const earlier = acceptedOf(flat(0.3, 0.25), 0.25)
    const [flag, ...more] = calendarFlags(earlier, later)
    expect(more).toEqual([])
    expect(flag).toMatchObject({ kind: 'calendar', earlier, later })
    expect(flag.value).toBeCloseTo(0.09 * 0.25 - 0.04 * 0.5, 12)
  })

  test('are two where total variance falls in both wings and not between', () => {
    const earlier = acceptedOf({ a: 0.005, b: 0.1, rho: 0, m: 0, sigma: 0.05 }, 0.25)
    const flags = calendarFlags(earlier, later)
    expect(flags.map(({ k }) => Math.sign(k))).toEqual([-1, 1])
    for (const { k, value } of flags) expect(totalVariance(earlier.svi, k) - totalVariance(later.svi, k)).toBe(value)
  })

  test('tolerate 0.001, and 5 % of a small variance', () => {
    const fall = (from: number, by: number) =>
      calendarFlags(acceptedOf(flat(Math.sqrt(from), 1), 1), acceptedOf(flat(Math.sqrt(from - by), 1), 1))
    expect(fall(0.04, 0.0009)).toEqual([])
    expect(fall(0.04, 0.0011)).toHaveLength(1)
    expect(fall(0.001, 0.00004)).toEqual([])
    expect(fall(0.001, 0.00006)).toHaveLength(1)
  })

  test('look no further than five deviations of the later slice, or 0.10, beyond its points', () => {
    // The earlier slice is above the later one from |k| = 0.12 on, where the later one is not looked at.
    const short = acceptedOf(flat(0.1, 0.04), 0.04, 15, [-0.08, 0.08])
    const wing = acceptedOf({ a: 0, b: 0.004, rho: 0, m: 0, sigma: 0.001 }, 0.03)
    expect(totalVariance(wing.svi, 0.2)).toBeGreaterThan(totalVariance(short.svi, 0.2) + 0.0003)
    expect(calendarFlags(wing, short)).toEqual([])
    const quoted = acceptedOf(flat(0.1, 0.04), 0.04, 15, [-0.08, 0.2])
    expect(calendarFlags(wing, quoted).map(({ k }) => k)).toEqual([0.2])
  })
})

test('the flags of a chain are butterflies by expiration, then calendars', () => {
  const falling = acceptedOf(flat(0.05, 0.3), 0.3)
  const flags = arbitrageFlags([sharp, clean, falling])
  const firstCalendar = flags.findIndex(({ kind }) => kind === 'calendar')
  expect(firstCalendar).toBeGreaterThan(0)
  expect(flags.slice(firstCalendar).every(({ kind }) => kind === 'calendar')).toBe(true)
})
