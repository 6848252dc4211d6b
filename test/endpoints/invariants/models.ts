import { expect } from 'vitest'
import { CALL } from '../../../src/market/chain.ts'
import { isLive } from '../../../src/market/clock.ts'
import { easternDate } from '../../../src/market/eastern.ts'
import type { Market } from '../../support/markets.ts'
import { slowCharm } from '../../support/slow-charm.ts'
import type { Levels, Models, Summary } from '../answers.ts'
import { expectAll, type Invariants, scopes } from './invariant.ts'

const ids = ['convention', 'all_short', 'index_overwriting', 'tape', 'open_close']

/** Dealer position in a contract, by separate rules for each model. */
function heldBy(id: string, { chain, positions }: Market, i: number, volumes: ReadonlyMap<string, number>): number {
  const open = Math.max(0, chain.openInterest[i])
  const isCall = chain.right[i] === CALL
  const k = chain.strike[i]
  if (id === 'all_short') return -open
  if (id === 'convention') return isCall ? open : -open
  if (id === 'index_overwriting') {
    if (isCall) return k >= chain.spot ? open : -open
    return k <= chain.spot ? -open : open
  }
  if (positions === undefined) return 0
  const { date, root } = chain.expirations.find(({ start, end }) => i >= start && i < end)!
  const bought = volumes.get(`${root} ${date} ${k} ${chain.right[i]}`) ?? 0
  return Math.abs(bought) > open ? -Math.sign(bought) * open : -bought
}

function volumesOf({ positions }: Market): ReadonlyMap<string, number> {
  const volumes = new Map<string, number>()
  if (positions === undefined) return volumes
  const { series, bought, sold } = positions
  for (let k = 0; k < series.length; k++) {
    if (series.adjusted[k] === 1) continue
    const { root, date } = series.expirations[series.expiration[k]]
    volumes.set(`${root} ${date} ${series.strike[k]} ${series.right[k]}`, bought[k] - sold[k])
  }
  return volumes
}

export const models: Invariants<Models> = {
  queries: scopes,
  checks: {
    'models[0].id == convention and its net_gex, net_vex, net_chex, gamma_flip, regime equal /v1/exposure/summary at the same as_of (no filter), its walls /v1/exposure/levels':
      ({ models: [first] }, at) => {
        expect(first.id).toBe('convention')
        if ('expiration' in at.query) return
        const { exposures, gamma_flip, regime } = at.other<Summary>('/v1/exposure/summary/{symbol}')!
        const { net_gex, net_vex, net_chex } = exposures
        expect(first).toMatchObject({ net_gex, net_vex, net_chex, gamma_flip, regime })
        const { call_wall, put_wall } = at.other<Levels>('/v1/exposure/levels/{symbol}')!.levels
        expect(first).toMatchObject({ call_wall, put_wall })
      },
    'reason is null iff available': ({ models: rows }) => {
      expect(rows.map(({ id }) => id)).toEqual(ids)
      expectAll(rows, ({ available, reason }) => available === (reason === null))
      expectAll(rows, ({ available, net_gex, regime }) => available === (net_gex !== null && regime !== null))
    }
  },
  further: {
    'every model is the sum of its contracts': (answer, { market, query }) => {
      const { chain } = market
      if (chain.onForward) return
      const volumes = volumesOf(market)
      const asked = query.expiration === '0dte' ? easternDate(chain.asOf) : query.expiration
      for (const row of answer.models.filter(({ available }) => available)) {
        const sums = { net_gex: 0, net_vex: 0, net_chex: 0, dealer_delta: 0 }
        chain.expirations.forEach(({ date, settlement, start, end }) => {
          if (asked !== undefined && date !== asked) return
          if (!isLive(chain.asOf, date, settlement)) return
          for (let i = start; i < end; i++) {
            if (Number.isNaN(chain.delta[i])) continue
            const n = heldBy(row.id, market, i, volumes)
            sums.net_gex += n * chain.gamma[i] * 100 * chain.spot ** 2 * 0.01
            sums.net_vex += n * chain.vanna[i] * 100 * chain.spot
            sums.net_chex += n * slowCharm(chain, i) * 100 * chain.spot
            sums.dealer_delta += n * chain.delta[i] * 100 * chain.spot
          }
        })
        for (const [field, sum] of Object.entries(sums)) {
          const stated = row[field as keyof typeof sums]!
          expect(Math.abs(stated - sum), `${row.id} ${field}`).toBeLessThanOrEqual(0.0051 + 1e-9 * Math.abs(sum) + 1e-3)
        }
      }
    },
    'agreement is a share of the available models': ({ agreement, models: rows }) => {
      const available = rows.filter((row) => row.available)
      const same = available.filter(({ regime }) => regime === rows[0].regime)
      if (rows[0].regime === 'undetermined') expect(agreement).toBeNull()
      else expect(Math.abs(agreement! - same.length / available.length)).toBeLessThanOrEqual(0.00005)
    }
  }
}
