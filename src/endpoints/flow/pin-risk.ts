import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { Hours, Nullable, Percent, Price, Score } from '../../api/quantity.ts'
import { magnetPin } from '../../exposure/pin/pin-risk.ts'
import { expirationDate } from '../../exposure/scope.ts'
import { hoursToExpiryClose } from '../../market/clock.ts'
import { flowEnvelope, flowHeader } from './flow-envelope.ts'
import { flowScoped, flowScopeFor } from './flow-scope.ts'

/** Smallest time to the close that a response shows, hours. */
const MIN_TIME = 0.1

export const flowPinRisk = endpoint({
  id: 'flow.pin_risk',
  path: '/v1/flow/pin-risk/{symbol}',
  tag: 'flow',
  summary: 'Pin score on currently estimated positions, with the strike that pulls and its four parts',
  description:
    'Whether price is likely to be held at a strike into the close, 0 to 100, with the four parts of the score.',
  plan: 'growth',
  sourceFault: 'upstream_unavailable',
  needs: ['chain', 'positions'],
  params: flowScoped,
  replay: true,
  stream: true,
  response: Type.Object({
    ...flowEnvelope,
    live_pin_risk: Score(),
    magnet_strike: Nullable(Price('strike with the largest net gamma by size')),
    distance_to_magnet_pct: Nullable(Percent('of spot, unsigned', { minimum: 0 })),
    time_to_close_hours: Hours('hours of session until the expiration, or the nearest one, closes', {
      minimum: MIN_TIME
    }),
    breakdown: Type.Object(
      { oi_score: Score(), proximity_score: Score(), time_score: Score(), gamma_score: Score() },
      { title: 'PinRiskParts', description: 'the parts before they are weighted 0.30, 0.25, 0.25 and 0.20' }
    )
  }),
  answer: ({ chain, positions }, { expiry }) => {
    const { live } = flowScopeFor(chain, positions, expiry)
    const { magnet, distance, risk } = magnetPin(live)
    const date = expirationDate(chain, live.slots[0])
    return {
      ...flowHeader(chain, positions, expiry),
      live_pin_risk: risk.score,
      magnet_strike: magnet?.strike,
      distance_to_magnet_pct: distance,
      time_to_close_hours: Math.max(MIN_TIME, hoursToExpiryClose(chain.asOf, date)),
      breakdown: {
        oi_score: risk.oi,
        proximity_score: risk.proximity,
        time_score: risk.time,
        gamma_score: risk.gamma
      }
    }
  }
})
