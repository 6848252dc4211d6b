import type { Settlement } from '../../market/clock.ts'
import type { Occ } from '../../market/occ.ts'
import { rootsOf, settlementOf } from '../../market/security.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'

/** Number of payload rows that are not in the chain, by reason. */
export interface CboeLeftOut {
  /** Contracts that deliver something other than 100 shares, as after a split. */
  readonly adjusted: number
  readonly expired: number
  /** Rows without a readable symbol, or of another underlying. */
  readonly unreadable: number
}

export type CboeListing = (occ: Occ) => Settlement | keyof CboeLeftOut

/**
 * Returns a function that decides whether a contract belongs in the chain of a symbol and session. It returns the
 * contract's settlement, or the reason for leaving the contract out.
 */
export function cboeListing(symbol: Ticker, session: IsoDate): CboeListing {
  const roots = new Map(rootsOf(symbol).map((root) => [optionRoot(root), new Map<IsoDate, Settlement>()]))
  return ({ underlying, adjusted, root, expiration }) => {
    const own = roots.get(root)
    const settlements = own ?? roots.get(underlying)
    if (settlements === undefined) return 'unreadable'
    if (adjusted && own === undefined) return 'adjusted'
    if (expiration < session) return 'expired'
    let settlement = settlements.get(expiration)
    if (settlement === undefined) settlements.set(expiration, (settlement = settlementOf(root, expiration)))
    return settlement
  }
}

function optionRoot(symbol: Ticker | string): string {
  return symbol.replace(/[^A-Z0-9]/g, '')
}
