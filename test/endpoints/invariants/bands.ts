import { expect } from 'vitest'
import type { Bands, Gex, Levels } from '../answers.ts'
import { type Case, expectAll, type Invariants, total } from './invariant.ts'

const nets = ['net_gex', 'net_dex', 'net_vex', 'net_chex'] as const
const quantiles = ['p05', 'p25', 'p50', 'p75', 'p95'] as const
type Band = Readonly<Record<(typeof quantiles)[number], number | null>>
const valuesOf = (band: Band) => quantiles.map((name) => band[name])
const cents = (size: number) => 0.0101 + 1e-9 * Math.abs(size)
const hasNoWidth = (band: Band) => Math.abs(band.p95! - band.p05!) <= cents(band.p50!)

function expectAscending(band: Band): void {
  const values = valuesOf(band)
  if (values[0] === null) expect(values).toEqual([null, null, null, null, null])
  else expectAll(values, (value, k) => k === 0 || value! >= values[k - 1]!)
}

function expectEqual(one: Band, other: Band): void {
  for (const name of quantiles) expect(Math.abs(one[name]! - other[name]!)).toBeLessThanOrEqual(cents(one[name]!))
}

const isQuiet = ({ market: { chain } }: Case) => chain.volume.every((volume) => !(volume > 0))

export const bands: Invariants<Bands> = {
  // A whole large chain takes seconds.
  queries: ({ chain }) => {
    const expiration = chain.expirations[0].date
    if (chain.size > 3000) return [{ expiration }]
    return [{}, { expiration, sign_confidence: '1' }, { expiration, sign_confidence: '0.5' }]
  },
  checks: {
    'p05 <= p25 <= p50 <= p75 <= p95 everywhere': (answer) => {
      for (const net of nets) {
        for (const part of ['positions', 'sign', 'combined'] as const) expectAscending(answer[net][part])
      }
      expectAscending(answer.gamma_flip.positions)
      expectAscending(answer.gamma_flip.combined)
    },
    'sign_confidence 1 => combined equals positions (0.01) and sign has no width': (answer) => {
      if (answer.sign_confidence !== 1) return
      for (const net of nets) {
        expectEqual(answer[net].combined, answer[net].positions)
        expect(hasNoWidth(answer[net].sign)).toBe(true)
      }
      expect(answer.gamma_flip.combined).toEqual(answer.gamma_flip.positions)
    },
    'volume 0 everywhere => positions band has no width and equals value': (answer, at) => {
      if (!isQuiet(at)) return
      for (const net of nets) {
        const { value, positions } = answer[net]
        for (const bound of valuesOf(positions)) expect(Math.abs(bound! - value)).toBeLessThanOrEqual(cents(value))
      }
    },
    'net_dex.combined equals net_dex.positions; net_dex.sign has no width': ({ net_dex }) => {
      expectEqual(net_dex.combined, net_dex.positions)
      expect(hasNoWidth(net_dex.sign)).toBe(true)
    },
    'quotes.low <= value <= quotes.high': (answer) => {
      for (const net of nets) {
        const { value, quotes } = answer[net]
        expect(quotes.low <= value && value <= quotes.high).toBe(true)
      }
    },
    'sum of probabilities of a wall list <= 1 (0.0005)': ({ walls }) => {
      for (const list of [walls.call, walls.put]) {
        expect(total(list, ({ probability }) => probability)).toBeLessThanOrEqual(1.0005)
        expectAll(list, ({ probability }, k) => k === 0 || probability <= list[k - 1].probability)
      }
    }
  },
  further: {
    'the expected value stands in the middle of its band, and the shift leads there from the plain value': (answer) => {
      for (const net of nets) {
        const { value, expected, shift, positions } = answer[net]
        expect(Math.abs(expected - positions.p50!)).toBeLessThanOrEqual(cents(expected))
        expect(Math.abs(value + shift - expected)).toBeLessThanOrEqual(3 * cents(Math.abs(value) + Math.abs(shift)))
      }
    },
    'values are those of the plain endpoints': (answer, at) => {
      const { expiration } = at.query
      const scope = expiration === undefined ? {} : { expiration }
      expect(answer.net_gex.value).toBe(at.other<Gex>('/v1/exposure/gex/{symbol}', scope)!.net_gex)
      const { levels } = at.other<Levels>('/v1/exposure/levels/{symbol}', scope)!
      expect(answer.gamma_flip.value).toBe(levels.gamma_flip)
    },
    'half the signs wrong leave nothing to expect but of delta': (answer) => {
      if (answer.sign_confidence !== 0.5) return
      expect(Math.abs(answer.net_gex.combined.p50)).toBeLessThanOrEqual(0.01)
      expect(answer.regime.positive_combined === null || answer.regime.positive_combined === 0.5).toBe(true)
    }
  }
}
