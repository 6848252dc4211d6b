import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath } from '../../api/params.ts'
import { Contracts, Day, Level, Notional, Nullable, Price, Share, Words } from '../../api/quantity.ts'
import { eventBuckets, eventPositioning } from '../../earnings/dealer-positioning.ts'
import { netGex } from '../../exposure/by-strike.ts'
import { statedRegimes } from '../../exposure/regime.ts'
import { reportAfter } from './next-report.ts'

export const earningsDealerPositioning = endpoint({
  id: 'earnings.dealer_positioning',
  path: '/v1/earnings/dealer-positioning/{symbol}',
  tag: 'earnings',
  summary: 'Dealer exposure around the next report',
  description: 'Levels and gamma of the expirations from the report on: what dealers do when it comes.',
  plan: 'alpha',
  needs: ['chain', 'earnings'],
  sourceFault: 'upstream_unavailable',
  params: { symbol: symbolInPath() },
  replay: false,
  stream: false,
  response: Type.Object({
    ...envelope,
    earnings_date: Day('as the calendar states it'),
    event_expiry: Nullable(Day('the first expiration on that day or later')),
    levels: Type.Object(
      {
        gamma_flip: Nullable(Level()),
        call_wall: Nullable(Price('above spot, the largest positive net gamma')),
        put_wall: Nullable(Price('below spot, the most negative put gamma')),
        highest_oi_strike: Nullable(Price())
      },
      {
        title: 'EarningsPositioningLevels',
        description: 'of the expirations from the day of the report to seven days after it'
      }
    ),
    gex_by_dte_bucket: Type.Array(
      Type.Object(
        {
          bucket: Words(...eventBuckets),
          net_gex: Notional('USD of delta gained per 1 % move of spot'),
          contract_count: Contracts('series with open interest', { minimum: 1 })
        },
        { title: 'EarningsGexBucket' }
      ),
      { ...rowKey('bucket'), maxItems: 3 }
    ),
    top_strikes: Type.Array(
      Type.Object(
        { strike: Price(), net_gex: Notional(), call_oi: Contracts(), put_oi: Contracts() },
        { title: 'EarningsGexStrike' }
      ),
      { ...rowKey('strike'), maxItems: 5 }
    ),
    charm_acceleration: Nullable(
      Share('charm exposure of event_expiry by size, over that of the chain', { minimum: 0, maximum: 1 })
    ),
    regime: Words(...statedRegimes)
  }),
  errors: ['no_data'],
  answer: ({ chain, earnings }) => {
    const { event } = reportAfter(chain, earnings)
    const held = eventPositioning(chain, event.date)
    return {
      ...header(chain),
      earnings_date: event.date,
      event_expiry: held.expiration,
      levels: {
        gamma_flip: held.flip,
        call_wall: held.callWall,
        put_wall: held.putWall,
        highest_oi_strike: held.highestOi
      },
      gex_by_dte_bucket: held.buckets.map(({ bucket, netGex, contracts }) => ({
        bucket,
        net_gex: netGex,
        contract_count: contracts
      })),
      top_strikes: held.top.map((row) => ({
        strike: row.strike,
        net_gex: netGex(row),
        call_oi: row.callOi,
        put_oi: row.putOi
      })),
      charm_acceleration: held.charmShare,
      regime: held.regime
    }
  }
})
