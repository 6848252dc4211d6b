import { securityKind } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'

/** Whether the vendor has the underlying: it has no values of indexes. */
export const isOffered = (symbol: Ticker): boolean => securityKind(symbol) !== 'index'
