import { apiError } from '../../api/error.ts'
import { ChainGone } from '../../market/gone-chain.ts'

/** Attempts before a request is refused: chains that are replaced so fast leave no time to answer. */
const ATTEMPTS = 3

/**
 * Loads inputs and computes a response from them; again from newer inputs if the memory of a chain among them was
 * reused before the engine got to it.
 */
export async function fromCurrentChains<Result>(compute: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await compute()
    } catch (error) {
      if (!(error instanceof ChainGone)) throw error
    }
  }
  throw apiError('overloaded')
}
