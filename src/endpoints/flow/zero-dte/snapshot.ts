import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { envelope, header } from '../../../api/envelope.ts'
import { apiError } from '../../../api/error.ts'
import { Day, Note } from '../../../api/quantity.ts'
import { expiringScope } from '../../../exposure/scope.ts'
import { session as sessionOf } from '../../../market/calendar.ts'
import { isMarketOpen } from '../../../market/clock.ts'
import { easternDate } from '../../../market/eastern.ts'
import type { Instant, IsoDate } from '../../../market/units.ts'
import { sessionIsClosed } from '../../../wording/same-day-readings.ts'
import { analyticsBlock, strikeRange } from '../../exposure/zero-dte/analytics.ts'
import { nothingTodayBlock } from '../../exposure/zero-dte/nothing-today.ts'
import { dealerRiskBlock, withFlow } from '../blocks.ts'
import { newerOf } from '../flow-envelope.ts'
import { dealerRiskOf, type FlowScope, flowScoped, flowScopeOf } from '../flow-scope.ts'

const { flow_direction: label, ...risk } = dealerRiskBlock.schema.properties

/** How the session's flow changed dealers' gamma in one expiration. */
const flowDirectionBlock = block(
  Type.Object(
    {
      label,
      settled_net_gex: risk.settled_net_gex,
      live_net_gex: risk.live_net_gex,
      flow_gex_adjustment: risk.flow_gex_adjustment,
      flow_gex_pct_shift: risk.flow_gex_pct_shift,
      contracts_with_flow: withFlow,
      total_abs_delta_contracts: risk.total_abs_delta_contracts,
      description: risk.description
    },
    { title: 'ZeroDteFlowDirection' }
  ),
  (scope: FlowScope) => {
    const filled = dealerRiskBlock.fill(dealerRiskOf(scope), scope.totals)
    return { ...filled, label: filled.flow_direction, contracts_with_flow: scope.totals.seriesWithFlow }
  }
)

const opening = { ...envelope, market_open: Type.Boolean() }

const closed = Type.Object(
  {
    symbol: envelope.symbol,
    as_of: envelope.as_of,
    market_open: Type.Literal(false),
    session_closed: Type.Literal(true),
    last_session: Day('the newest session that has begun'),
    message: Note()
  },
  { title: 'SessionClosed' }
)

export const zeroDteSnapshot = endpoint({
  id: 'flow.zero_dte_snapshot',
  path: '/v1/flow/zero-dte/snapshot/{symbol}',
  tag: 'flow',
  summary: 'Same-day expiration analytics on currently estimated positions',
  description:
    'The same-day analytics with positions as estimated now, and the direction that the flow pushed dealers. After the session it says that it is over.',
  plan: 'growth',
  sourceFault: 'upstream_unavailable',
  needs: ['chain', 'vix', 'positions', 'session', 'distrust'],
  params: { ...flowScoped, strike_range: strikeRange },
  replay: true,
  stream: true,
  mainBlock: 'exposures',
  response: Type.Union([
    Type.Object(
      { ...opening, ...analyticsBlock.schema.properties, flow_direction: flowDirectionBlock.schema },
      { title: 'ZeroDteSnapshotAnalytics' }
    ),
    Type.Object({ ...opening, ...nothingTodayBlock.schema.properties }, { title: 'ZeroDteSnapshotNone' }),
    closed
  ]),
  answer: ({ chain, vix, positions, session }, { strike_range: window, expiry }) => {
    const described = header({ ...chain, asOf: newerOf(chain.asOf, positions) })
    const { symbol, as_of } = described
    if (!session.isOn || !isOf(session.date, chain.asOf)) {
      const message = sessionIsClosed(symbol, session.date)
      return {
        symbol,
        as_of,
        market_open: false as const,
        session_closed: true as const,
        last_session: session.date,
        message
      }
    }
    const today = easternDate(chain.asOf)
    const opened = { ...described, market_open: isMarketOpen(chain.asOf) }
    const settled = expiringScope(chain, expiry ?? today)
    if (settled.slots.length === 0) {
      if (expiry !== undefined) throw apiError('no_data', `${symbol} lists no expiration on ${expiry}`)
      return { ...opened, ...nothingTodayBlock.fill(chain, today) }
    }
    const scope = flowScopeOf(settled, positions)
    return {
      ...opened,
      ...analyticsBlock.fill(scope.live, { vix, window }),
      flow_direction: flowDirectionBlock.fill(scope)
    }
  }
})

/**
 * Whether a chain's time lies within the session on a date, open and close included. An earlier chain says nothing
 * about today's expiration. A chain may also be newer than the time for which the caller determined the session.
 */
function isOf(date: IsoDate, asOf: Instant): boolean {
  const { open, close } = sessionOf(date)!
  return asOf >= open && asOf <= close
}
