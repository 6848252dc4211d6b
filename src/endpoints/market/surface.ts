import Type, { type TObject } from 'typebox'
import { moment, rowName } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { apiError } from '../../api/error.ts'
import { choice, symbolInPath } from '../../api/params.ts'
import {
  Count,
  Day,
  LogMoneyness,
  Name,
  Nullable,
  Percent,
  Price,
  Timestamp,
  Words,
  YearFraction
} from '../../api/quantity.ts'
import { isoInstant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { marketSurface } from '../../volatility/market-smile/market-surface.ts'
import { marketVariances } from '../../volatility/market-smile/whole-variance.ts'
import { acceptedSlices } from '../../volatility/smile/slice.ts'
import { GRID_SIZE, marketGrid, type SurfaceGrid, surfaceGrid } from '../../volatility/surface/surface-grid.ts'
import { densityBlock, refusalBlock } from './surface-density.ts'

const axis = { minItems: GRID_SIZE, maxItems: GRID_SIZE }

export const surface = endpoint({
  id: 'surface.current',
  path: '/v1/surface/{symbol}',
  tag: 'market-data',
  tool: 'volatility',
  summary:
    'Implied-volatility grid over time and moneyness, from the fitted smiles; with fit=market risk-neutral probabilities too',
  description:
    'A grid of implied volatilities for surface plots, or with `fit=market` smiles through every quote, with the probabilities that prices imply.',
  plan: 'public',
  keys: 'ignored',
  needs: ['chain'],
  ttl: 5 * MILLISECONDS_PER_MINUTE,
  loading: 'insufficient_data',
  absent: ['symbol_not_found', 'insufficient_data'],
  params: {
    symbol: symbolInPath(),
    fit: choice({
      description:
        'svi: five parameters an expiration; market: smiles through the quotes of every listing, with what they say of the price at expiry',
      spelling: { svi: 'svi', market: 'market' },
      default: 'svi',
      example: 'market'
    })
  },
  errors: ['insufficient_data'],
  replay: true,
  stream: false,
  compatible: slicesByDate,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    spot: Price(),
    as_of: Timestamp('the moment of the quotes that were fitted, UTC', moment),
    grid_size: Type.Literal(GRID_SIZE),
    tenors: Type.Array(YearFraction(), {
      ...axis,
      description: 'ascending, from the first fitted expiration to the last'
    }),
    moneyness: Type.Array(LogMoneyness('ln(K / forward)'), { ...axis, description: 'ascending, -0.5 to 0.5' }),
    iv: Type.Array(Type.Array(Percent('', { minimum: 1, maximum: 300 }), axis), {
      ...axis,
      description: 'iv[tenor][moneyness]'
    }),
    slices_used: Count('fitted expirations behind the grid', { minimum: 2 }),
    fit: Type.Optional(Words('market')),
    variance_days_30: Type.Optional(
      Nullable(Percent('with fit=market: of the whole smiles over the next 30 days, beside days_30 of model_free'))
    ),
    density: Type.Optional(
      Type.Array(densityBlock.schema, {
        ...rowName('expiry', 'root'),
        description:
          'with fit=market: the risk-neutral distribution of the price at expiry of each listing, by expiry and root'
      })
    ),
    refused: Type.Optional(
      Type.Array(refusalBlock.schema, {
        ...rowName('expiry', 'root'),
        description: 'with fit=market: live listings without a smile, and why'
      })
    )
  }),
  answer: ({ chain }, { fit }) => (fit === 'market' ? marketAnswer(chain) : sviAnswer(chain))
})

/** Existing historical clients read the dates of the fitted expirations, not their number. */
function slicesByDate({ properties }: TObject) {
  return {
    response: Type.Object({ ...properties, slices_used: Type.Array(Day('a fitted expiration behind the grid')) }),
    of: (
      answer: { readonly density?: readonly { readonly expiry: string }[] },
      { chain }: { readonly chain: PricedChain }
    ) => ({
      ...answer,
      slices_used: answer.density?.map(({ expiry }) => expiry) ?? acceptedSlices(chain).map(({ date }) => date)
    })
  }
}

function sviAnswer(chain: PricedChain) {
  const accepted = acceptedSlices(chain)
  return gridAnswer(chain, surfaceGrid(accepted), accepted.length)
}

function marketAnswer(chain: PricedChain) {
  const { smiles, refusals } = marketSurface(chain)
  const found = smiles.filter((smile) => smile !== undefined)
  return {
    ...gridAnswer(chain, marketGrid(found), found.length),
    fit: 'market' as const,
    variance_days_30: marketVariances(chain).month,
    density: found.map((smile) => densityBlock.fill(chain, smile)),
    refused: refusals.flatMap((reason, at) => (reason === undefined ? [] : [refusalBlock.fill(chain, at, reason)]))
  }
}

function gridAnswer(chain: PricedChain, grid: SurfaceGrid | undefined, fitted: number) {
  if (grid === undefined) {
    const found = fitted === 0 ? 'no expiration' : `${fitted} of its expirations`
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
