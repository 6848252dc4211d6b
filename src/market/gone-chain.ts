import type { ChainHeader } from './chain.ts'

/** Error for a chain whose columns are asked for after their memory was given to another chain. */
export class ChainGone extends Error {
  override readonly name = 'ChainGone'
}

const gone = new WeakSet<ChainHeader>()

/** Marks a chain whose memory is given to another one. This thread may not read its columns any more. */
export function markGone(chain: ChainHeader): void {
  gone.add(chain)
}

/** Throws if the memory of a chain may hold another one by now. Called wherever columns are taken of a held chain. */
export function refuseGone(chain: ChainHeader): void {
  if (gone.has(chain)) throw new ChainGone(`a chain of ${chain.symbol} is asked about after its memory was given back`)
}
