import { expect } from 'vitest'
import { familyOf } from '../../../src/market/instrument-family.ts'
import type { ChartLevels, Levels, MaxPain } from '../answers.ts'
import { type Case, expectAll, type Invariants, scopes } from './invariant.ts'

const scopeOf = ({ query: { expiration } }: Case) => (expiration === undefined ? {} : { expiration })
const priceOf = ({ levels }: ChartLevels, id: string) => levels.find((level) => level.id === id)?.price ?? null
const ticks: Readonly<Record<string, number>> = { ES: 0.25, MES: 0.25, NQ: 0.25, MNQ: 0.25, RTY: 0.1, M2K: 0.1 }

export const chartLevels: Invariants<ChartLevels> = {
  queries: (market) => [...scopes(market), ...familyOf(market.chain.symbol).map(({ symbol: as }) => ({ as }))],
  checks: {
    'as absent => gamma_flip, call_wall, put_wall and zero_dte_magnet equal /v1/exposure/levels of the same scope, max_pain /v1/maxpain':
      (answer, at) => {
        if ('as' in at.query) return
        const { levels } = at.other<Levels>('/v1/exposure/levels/{symbol}', scopeOf(at))!
        for (const id of ['gamma_flip', 'call_wall', 'put_wall', 'zero_dte_magnet'] as const) {
          expect(priceOf(answer, id), id).toBe(levels[id])
        }
        const maxPain = at.other<MaxPain>('/v1/maxpain/{symbol}', scopeOf(at))?.max_pain_strike ?? null
        expect(priceOf(answer, 'max_pain')).toBe(maxPain)
      },
    'as a future: every price a multiple of its tick; price == level*factor within half a tick': (answer, at) => {
      const tick = ticks[answer.as]
      if (tick === undefined) return
      const plain = at.other<ChartLevels>('/v1/exposure/chart-levels/{symbol}')!
      expect(answer.levels.map(({ id }) => id)).toEqual(plain.levels.map(({ id }) => id))
      expectAll(answer.levels, ({ price }) => Math.abs(price / tick - Math.round(price / tick)) < 1e-6)
      const { factor } = answer.basis!
      // The plain levels are rounded to a cent, the factor to eight decimals.
      const slack = (price: number) => 0.5 * tick + 0.005 * factor + 1e-8 * price
      expectAll(answer.levels, ({ price }, k) => Math.abs(plain.levels[k].price * factor - price) <= slack(price))
    },
    'as == symbol iff basis is null': ({ as, symbol, basis }) => expect(basis === null).toBe(as === symbol)
  },
  further: {
    'an index or fund has the ratio of the spots, to the cent': (answer, at) => {
      const { as, basis } = answer
      if (basis === null || as in ticks) return
      expect(basis).toEqual({ factor: 10.03, expiry: null, rate: null, yield: null })
      const plain = at.other<ChartLevels>('/v1/exposure/chart-levels/{symbol}')!
      expectAll(answer.levels, ({ price }, k) => Math.abs(plain.levels[k].price * 10.03 - price) <= 0.056)
    },
    'ids are distinct and stand in their order, labels name the level of the symbol': (answer) => {
      const order = [
        ...['gamma_flip', 'call_wall', 'put_wall', 'max_pain', 'zero_dte_magnet', 'zero_dte_call_wall'],
        ...[
          'zero_dte_put_wall',
          'expected_move_upper',
          'expected_move_lower',
          'gex_1',
          'gex_2',
          'gex_3',
          'gex_4',
          'gex_5'
        ]
      ]
      const ids: readonly string[] = answer.levels.map(({ id }) => id)
      expect(ids).toEqual(order.filter((id) => ids.includes(id)))
      expectAll(answer.levels, ({ label }) => /^[A-Z0-9][\w .-]+$/.test(label))
      if (answer.basis === null)
        expectAll(answer.levels, ({ label, price }) => label.endsWith(` ${Number(price.toFixed(2))}`))
    },
    'the walls of today are for callers who may ask for it': (answer) =>
      expectAll(answer.levels, ({ id }) => !id.endsWith('te_call_wall') && !id.endsWith('te_put_wall'))
  }
}
