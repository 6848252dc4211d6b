import Type from 'typebox'
import { ranked, rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { Contracts, Day, Decimal, Notional, Nullable, Price, Share, Words } from '../../api/quantity.ts'
import { gammaPeaks, inflectionStrike } from '../../exposure/breakdown/gamma-profile.ts'
import { activeStrikes, netChex, netDex, netGex, netVex, sumOf } from '../../exposure/by-strike.ts'
import { wallSide } from '../../exposure/levels/walls.ts'
import { netExposures } from '../../exposure/net.ts'
import { atLeastOpenInterest } from '../../exposure/scope.ts'
import { isMonthlyOpex, isTripleWitching } from '../../market/calendar.ts'
import { netBlock } from './net-block.ts'
import { scopeBlock } from './scope-block.ts'
import { bySet, minOi, scopeAsked, scoped } from './scoped.ts'

export const sheet = endpoint({
  id: 'exposure.sheet',
  path: '/v1/exposure/sheet/{symbol}',
  tag: 'exposure',
  summary: 'All exposures per strike in one table, with totals, inflection strike and gamma peaks',
  description:
    'The table of a strategist: all four exposures, open interest and volume of every strike side by side, with totals and the strikes that matter most. For spreadsheets.',
  plan: 'growth',
  needs: ['chain'],
  params: { ...scoped, min_oi: minOi },
  ...bySet,
  replay: true,
  stream: true,
  response: Type.Object({
    ...envelope,
    expiration: Nullable(Day('echo of the filter')),
    is_opex: Type.Boolean(),
    is_triple_witching: Type.Boolean(),
    totals: Type.Object(
      { ...netBlock.schema.properties, net_dag: Notional('delta-adjusted gamma') },
      { title: 'SheetTotals' }
    ),
    lis: Nullable(
      Type.Object(
        {
          strike: Price('where the gamma profile bends most'),
          magnitude: Decimal(4, 'ratio')
        },
        { title: 'LargestInventoryStrike' }
      )
    ),
    peaks: Type.Array(
      Type.Object(
        {
          strike: Price(),
          net_gex: Notional(),
          strength: Share('|net_gex| over the largest', { minimum: 0.1, maximum: 1 }),
          side: Words('call_wall', 'put_wall')
        },
        { title: 'GexPeak' }
      ),
      { ...rowKey('strike'), ...ranked }
    ),
    strikes: Type.Array(
      Type.Object(
        {
          strike: Price(),
          call_gex: Notional(),
          put_gex: Notional(),
          net_gex: Notional(),
          call_dex: Notional(),
          put_dex: Notional(),
          net_dex: Notional(),
          call_vex: Notional(),
          put_vex: Notional(),
          net_vex: Notional(),
          call_chex: Notional(),
          put_chex: Notional(),
          net_chex: Notional(),
          dag: Notional(),
          call_oi: Contracts(),
          put_oi: Contracts()
        },
        { title: 'SheetStrikeRow' }
      ),
      rowKey('strike')
    ),
    scope: scopeBlock.schema
  }),
  answer: ({ chain }, asked) => {
    const { expiration } = asked
    const scope = atLeastOpenInterest(scopeAsked(chain, asked), asked.min_oi)
    const rows = activeStrikes(scope)
    const inflection = inflectionStrike(rows, chain.spot)
    return {
      ...header(chain),
      expiration,
      is_opex: expiration !== undefined && isMonthlyOpex(expiration),
      is_triple_witching: expiration !== undefined && isTripleWitching(expiration),
      totals: { ...netBlock.fill(netExposures(scope)), net_dag: sumOf(rows, (row) => row.dag) },
      lis: inflection === undefined ? undefined : { strike: inflection, magnitude: 1 },
      peaks: gammaPeaks(rows).map(({ row, strength }) => ({
        strike: row.strike,
        net_gex: netGex(row),
        strength,
        side: wallSide(row)
      })),
      strikes: rows.map((row) => ({
        strike: row.strike,
        call_gex: row.callGex,
        put_gex: row.putGex,
        net_gex: netGex(row),
        call_dex: row.callDex,
        put_dex: row.putDex,
        net_dex: netDex(row),
        call_vex: row.callVex,
        put_vex: row.putVex,
        net_vex: netVex(row),
        call_chex: row.callChex,
        put_chex: row.putChex,
        net_chex: netChex(row),
        dag: row.dag,
        call_oi: row.callOi,
        put_oi: row.putOi
      })),
      scope: scopeBlock.fill(scope, asked)
    }
  }
})
