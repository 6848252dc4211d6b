import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { Contracts, Nullable, Price, Timestamp, Usd } from '../../../api/quantity.ts'
import { isoInstant } from '../../../market/units.ts'
import { onGrid, strikeGrid, strikeGridBlock } from './strike-grid.ts'
import { byStrikeMinute } from './window.ts'

const CENTS = 100

export const zeroDteStrikeFlow = endpoint({
  id: 'flow.zero_dte_strike_flow',
  path: '/v1/flow/zero-dte/strike-flow/{symbol}',
  tag: 'flow',
  summary: 'Signed flow of the contracts that expire that day, by strike and minute',
  description: 'Which strikes customers bought and sold today, minute by minute, in delta and gamma.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['strikeMinutes', 'minute'],
  params: byStrikeMinute,
  replay: true,
  stream: false,
  response: Type.Object({
    ...strikeGridBlock.schema.properties,
    bars: Type.Array(
      Type.Object(
        {
          t: Timestamp('the beginning of the minute'),
          spot: Nullable(Price()),
          signed_delta_dollars: Type.Array(Nullable(Usd('positive where dealers buy the underlying'))),
          signed_gamma_dollars: Type.Array(Nullable(Usd('positive where customers bought gamma'))),
          contracts: Type.Array(Nullable(Contracts('of all prints', { minimum: 0 })))
        },
        { title: 'StrikeFlowBar' }
      ),
      { ...rowKey('t'), description: 'ascending; their arrays are parallel to strikes_grid' }
    )
  }),
  answer: ({ strikeMinutes, minute }, { symbol, minutes }) => {
    const grid = strikeGrid(strikeMinutes, minute, minutes)
    return {
      ...strikeGridBlock.fill(grid, symbol),
      bars: grid.minutes.map((row) => ({
        t: isoInstant(row.t),
        spot: row.spot,
        signed_delta_dollars: onGrid(grid, row, (k) => row.signedDelta[k] / CENTS),
        signed_gamma_dollars: onGrid(grid, row, (k) => row.signedGamma[k] / CENTS),
        contracts: onGrid(grid, row, (k) => row.contracts[k])
      }))
    }
  }
})
