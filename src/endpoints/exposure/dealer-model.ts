import Type from 'typebox'
import { envelope, header } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import { choice } from '../../api/params.ts'
import { Words } from '../../api/quantity.ts'
import { type Book, signConvention } from '../../exposure/book.ts'
import { bookOfModel, chainModels, tapeBook } from '../../exposure/dealer-models.ts'
import { signedVolume } from '../../flow/open-interest/effective-open-interest.ts'
import type { Positions } from '../../flow/tape-views.ts'
import type { ChainHeader } from '../../market/chain.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { ofItsSession } from '../flow/flow-scope.ts'

/**
 * All dealer models (assumptions about which options dealers are long and short), in the order of the published API
 * contract.
 */
export const modelIds = [...chainModels, 'tape', 'open_close'] as const
export type ModelId = (typeof modelIds)[number]

export type Modelled = { readonly book: Book } | { readonly reason: string }

/**
 * Applies a dealer model to a chain. `positions` are estimated from the session's prints; only the model `tape` reads
 * them.
 */
export function modelled(chain: PricedChain, id: ModelId, positions: Positions | undefined): Modelled {
  if (id === 'open_close') return { reason: 'No open-close summary from an exchange has been imported.' }
  if (id !== 'tape') return { book: bookOfModel(chain, id) }
  const held = ofItsSession(chain, positions)
  return held?.known === undefined // a tape without prints says nothing
    ? { reason: `No option of ${chain.symbol} has traded in this session.` }
    : { book: tapeBook(chain, signedVolume(chain, held)) }
}

/**
 * Parameter that picks the dealer model. Without it dealers are taken to be long calls and short puts, and the response
 * names no model.
 */
export const dealerModel = choice<ModelId>({
  description: `${modelIds.join(', ')}: what dealers are taken to hold, the convention without it`,
  spelling: Object.fromEntries(modelIds.map((id) => [id, id])) as { readonly [Id in ModelId]: Id },
  code: 'invalid_dealer_model'
})

/** The part of a request that picks a dealer model. */
export interface AskedModel {
  readonly dealer_model: ModelId | undefined
}

/** Whether a request uses the model `tape`, which needs positions estimated from the session's prints. */
export const readsTape = ({ dealer_model }: AskedModel) => dealer_model === 'tape'

/** Dealer positions under the requested model. Throws no_data if the data that the model needs is not available. */
export function bookFor(chain: PricedChain, { dealer_model: id }: AskedModel, positions: Positions | undefined): Book {
  if (id === undefined) return signConvention(chain)
  const found = modelled(chain, id, positions)
  if ('book' in found) return found.book
  throw apiError('no_data', `the dealer model ${id} is not available: ${found.reason}`)
}

/** First fields of responses whose requests may pick a dealer model. */
export const modelledEnvelope = {
  ...envelope,
  dealer_model: Type.Optional(Words(...modelIds))
}

export function modelledHeader(chain: ChainHeader, { dealer_model }: AskedModel) {
  return { ...header(chain), ...(dealer_model && { dealer_model }) }
}
