import Type from 'typebox'
import { moment } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { symbolInPath } from '../../api/params.ts'
import { Count, Instant, LogMoneyness, Percent, Price, Years } from '../../api/quantity.ts'
import { isoInstant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { acceptedSlices } from '../../volatility/slice.ts'
import { GRID_SIZE, surfaceGrid } from '../../volatility/surface-grid.ts'

const axis = { minItems: GRID_SIZE, maxItems: GRID_SIZE }

export const surface = endpoint({
  id: 'surface.current',
  path: '/v1/surface/{symbol}',
  tag: 'market-data',
  summary: 'Implied-volatility grid over time and moneyness, from the fitted smiles',
  plan: 'public',
  keys: 'ignored',
  needs: ['chain'],
  ttl: 5 * MILLISECONDS_PER_MINUTE,
  loading: 'insufficient_data',
  absent: ['symbol_not_found', 'insufficient_data'],
  params: { symbol: symbolInPath() },
  errors: ['insufficient_data'],
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Type.String({ description: 'underlying ticker' }),
    spot: Price(),
    as_of: Instant('the moment of the quotes that were fitted, UTC', moment),
    grid_size: Type.Literal(GRID_SIZE),
    tenors: Type.Array(Years(), { ...axis, description: 'ascending, from the first fitted expiration to the last' }),
    moneyness: Type.Array(LogMoneyness('ln(K / forward)'), { ...axis, description: 'ascending, -0.5 to 0.5' }),
    iv: Type.Array(Type.Array(Percent('', { minimum: 1, maximum: 300 }), axis), {
      ...axis,
      description: 'iv[tenor][moneyness]'
    }),
    slices_used: Count('fitted expirations behind the grid', { minimum: 2 })
  }),
  answer: ({ chain }) => {
    const accepted = acceptedSlices(chain)
    const grid = surfaceGrid(accepted)
    if (grid === undefined) {
      const found = accepted.length === 0 ? 'no expiration' : `${accepted.length} of its expirations`
      throw apiError('insufficient_data', `${found} of ${chain.symbol} has quotes that a smile fits; a grid takes two`)
    }
    return {
      symbol: chain.symbol,
      spot: chain.spot,
      as_of: isoInstant(chain.asOf),
      grid_size: GRID_SIZE,
      tenors: grid.tenors,
      moneyness: grid.moneyness,
      iv: grid.iv,
      slices_used: grid.slicesUsed
    }
  }
})
