import type { Settlement } from '../../market/clock.ts'
import type { Occ } from '../../market/occ.ts'
import { rootsOf, settlementOf } from '../../market/security.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'

/** How many rows of a payload are not in its chain, by reason. */
export interface LeftOut {
  /** Contracts that deliver something else than 100 shares, as after a split. */
  readonly adjusted: number
  /** Contracts whose expiration lies before the session. */
  readonly expired: number
  /** Rows without a readable symbol, or of another underlying. */
  readonly unreadable: number
}

/** How a contract settles, or why it is none of the chain. */
export type Listing = (occ: Occ) => Settlement | keyof LeftOut

/** What the contracts of a payload are to the chain of a symbol in a session. Each expiration is looked up once. */
export function listingOf(symbol: Ticker, session: IsoDate): Listing {
  const roots = new Map(rootsOf(symbol).map((root) => [optionRoot(root), new Map<IsoDate, Settlement>()]))
  return ({ underlying, adjusted, root, expiration }) => {
    const settlements = roots.get(underlying)
    if (settlements === undefined) return 'unreadable'
    if (adjusted) return 'adjusted'
    if (expiration < session) return 'expired'
    let settlement = settlements.get(expiration)
    if (settlement === undefined) settlements.set(expiration, (settlement = settlementOf(root, expiration)))
    return settlement
  }
}

/** The root under which a class of shares lists its options: BRKB for BRK.B. */
function optionRoot(symbol: Ticker | string): string {
  return symbol.replace(/[^A-Z0-9]/g, '')
}
