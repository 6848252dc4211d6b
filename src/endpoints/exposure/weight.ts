import Type from 'typebox'
import { echo } from '../../api/annotations.ts'
import { apiError } from '../../api/error.ts'
import { choice } from '../../api/params.ts'
import { type Book, bookOf } from '../../exposure/book.ts'
import type { Positions } from '../../flow/tape-views.ts'
import { memoize } from '../../market/memoize.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { effectiveBook, ofItsSession } from '../flow/flow-scope.ts'
import { type AskedModel, bookFor, modelledEnvelope, modelledHeader, readsTape } from './dealer-model.ts'

/**
 * Contracts that an exposure counts: open interest, the volume of the session, or open interest with the changes that
 * are estimated from the session's prints.
 */
const weights = ['oi', 'volume', 'effective'] as const
export type Weight = (typeof weights)[number]

export const weight = choice<Weight>({
  description: `${weights.join(', ')}: the contracts that are counted; oi without it`,
  spelling: Object.fromEntries(weights.map((name) => [name, name])) as { readonly [Name in Weight]: Name },
  code: 'invalid_weight'
})

interface Asked extends AskedModel {
  readonly weight: Weight | undefined
}

export const weightReads = (asked: Asked) => readsTape(asked) || asked.weight === 'effective'

/** Throws invalid_weight for a weight beside a dealer model that says itself which contracts dealers hold. */
export function checkWeight({ weight: asked = 'oi', dealer_model: model = 'convention' }: Asked): void {
  if (asked === 'oi' || model === 'convention') return
  throw apiError('invalid_weight', `by ${asked} the sides are those of the convention alone: leave dealer_model out`, {
    parameter: 'weight'
  })
}

const volumeBook = memoize((chain: PricedChain): Book => bookOf(chain, chain.volume))

/** Dealer positions under the requested weight and model. Throws no_data if the data that they need is not available. */
export function weightedBook(chain: PricedChain, asked: Asked, positions: Positions | undefined): Book {
  if (asked.weight === 'volume') return volumeBook(chain)
  if (asked.weight !== 'effective') return bookFor(chain, asked, positions)
  const held = ofItsSession(chain, positions)
  if (held?.known !== undefined) return effectiveBook(chain, held)
  throw apiError(
    'no_data',
    `the weight effective is not available: no option of ${chain.symbol} has traded in this session`
  )
}

/** First fields of responses whose requests may pick a weight besides the dealer model. */
export const weightedEnvelope = {
  ...modelledEnvelope,
  weight: Type.Optional(Type.Unsafe<Weight>({ ...echo, type: 'string', enum: weights }))
}

export function weightedHeader(chain: PricedChain, asked: Asked) {
  return { ...modelledHeader(chain, asked), ...(asked.weight && { weight: asked.weight }) }
}
