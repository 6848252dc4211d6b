import { decodeSnapshot } from '../../archive/codec/decode.ts'
import type { StoredSnapshot } from '../../archive/store.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve } from '../../pricing/assumptions.ts'
import { impliedRates } from '../../pricing/implied-rates.ts'
import { withTimeout } from '../with-timeout.ts'
import type { Task } from './task.ts'

interface IndexClose {
  readonly symbol: Ticker
  readonly session: IsoDate
  /** The close as it was recorded; without it the source is asked, where that holds its past. */
  readonly snapshot?: StoredSnapshot | undefined
}

/** The curve that the options on an index implied at the close of a session. Undefined: nobody holds it, or it tells none. */
export const readImpliedRates: Task<IndexClose, RateCurve | undefined> = {
  symbol: ({ symbol }) => symbol,
  async run({ symbol, session, snapshot }, { connector }) {
    if (snapshot !== undefined) return impliedRates(decodeSnapshot(snapshot))
    if (!connector.holdsPast) return undefined
    const chain = await withTimeout((signal) => connector.closingChain(symbol, session, signal))
    return chain && impliedRates(chain)
  }
}
