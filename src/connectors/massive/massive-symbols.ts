import { securityKind } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'

/** Length of an OCC symbol after the root: yyMMdd, C or P, and the strike in 8 digits. */
const TAIL = 15
/** Prefix of the vendor's option names, e.g. `O:SPY260320C00600000`. */
const MARK = 'O:'

/** OCC symbol in the vendor's name of an option; undefined for names of other instruments. */
export function occOfMassive(name: string): string | undefined {
  return name.startsWith(MARK) && name.length > MARK.length + TAIL ? name.slice(MARK.length) : undefined
}

/** Vendor's name of an underlying: `I:SPX` for an index, unchanged for stocks and funds. */
export function massiveName(symbol: Ticker): string {
  return securityKind(symbol) === 'index' ? `I:${symbol.replace(/^\^/, '')}` : symbol
}
