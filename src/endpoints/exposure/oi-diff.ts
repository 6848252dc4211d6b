import Type from 'typebox'
import { rowName } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath, whole } from '../../api/params.ts'
import { Contracts, Day, Price, Words } from '../../api/quantity.ts'
import { openInterestChanges } from '../../exposure/open-interest/open-interest-change.ts'
import { expirationDate } from '../../exposure/scope.ts'
import { CALL } from '../../market/chain.ts'
import { scopeFor } from './scoped.ts'

export const oiDiff = endpoint({
  id: 'exposure.oi_diff',
  path: '/v1/exposure/oi-diff/{symbol}',
  tag: 'exposure',
  summary: 'Open-interest change against the previous trading day',
  description:
    'Where positions were opened and closed overnight: contracts by the change of their open interest against the previous trading day.',
  plan: 'growth',
  needs: ['chain', 'prior'],
  params: {
    symbol: symbolInPath(),
    topN: whole({
      description: 'a whole number of rows to return',
      default: 10,
      minimum: 1,
      maximum: 100,
      clamp: true
    })
  },
  replay: true,
  stream: true,
  response: Type.Object({
    ...envelope,
    prior_snapshot_available: Type.Boolean(),
    total_call_oi_change: Contracts('over all contracts listed on both days'),
    total_put_oi_change: Contracts('over all contracts listed on both days'),
    top_oi_changes: Type.Array(
      Type.Object(
        {
          strike: Price(),
          type: Words('C', 'P'),
          expiry: Day(),
          today_oi: Contracts(),
          prior_oi: Contracts(),
          oi_change: Contracts('today_oi - prior_oi')
        },
        { title: 'OpenInterestChange' }
      ),
      { ...rowName('expiry', 'strike', 'type'), maxItems: 100 }
    )
  }),
  answer: ({ chain, prior }, { topN }) => {
    scopeFor(chain, undefined)
    const changes = prior && openInterestChanges(chain, prior)
    return {
      ...header(chain),
      prior_snapshot_available: changes !== undefined,
      total_call_oi_change: changes?.callChange ?? 0,
      total_put_oi_change: changes?.putChange ?? 0,
      top_oi_changes: (changes?.ranked ?? []).slice(0, topN).map(({ slot, today, prior, change }) => ({
        strike: chain.strike[slot],
        type: chain.right[slot] === CALL ? ('C' as const) : ('P' as const),
        expiry: expirationDate(chain, slot),
        today_oi: today,
        prior_oi: prior,
        oi_change: change
      }))
    }
  }
})
