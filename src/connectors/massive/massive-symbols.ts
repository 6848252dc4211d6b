import { securityKind } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'

/** Characters of an OCC symbol behind the root: yyMMdd, C or P, the strike. */
const TAIL = 15
/** Before every option of the vendor: `O:SPY260320C00600000`. */
const MARK = 'O:'

/** The OCC symbol in the vendor's name of an option; undefined where it is none of an option. */
export function occOfMassive(name: string): string | undefined {
  return name.startsWith(MARK) && name.length > MARK.length + TAIL ? name.slice(MARK.length) : undefined
}

/** The name of an underlying in the vendor's addresses: `I:SPX` for an index, everything else as it is. */
export function massiveName(symbol: Ticker): string {
  return securityKind(symbol) === 'index' ? `I:${symbol.replace(/^\^/, '')}` : symbol
}
