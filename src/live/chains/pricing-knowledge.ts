import type { Dividend } from '../../market/dividend.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { RateCurve } from '../../pricing/assumptions.ts'

/** The dividends and interest rates that a chain was priced with, for a session. */
export interface PricedWith {
  readonly session: IsoDate
  readonly dividends: readonly Dividend[] | undefined
  readonly rates: RateCurve | undefined
}

/** A value as far as it was read; undefined if nobody asked for it lately. */
type Known<Value> = { readonly value: Value } | undefined

interface Knowledge {
  /** Whether rates or dividends are still being read. */
  readonly isAwaited: (symbol: Ticker, session: IsoDate) => boolean
  readonly dividends: (symbol: Ticker) => Known<readonly Dividend[] | undefined>
  readonly rates: (session: IsoDate) => Known<RateCurve | undefined>
}

/**
 * Whether a chain was priced with other dividends or rates than are known now: they were not there yet, or an import has
 * replaced them since.
 */
export function isPricedOtherwise(symbol: Ticker, used: PricedWith, known: Knowledge): boolean {
  const { session } = used
  return (
    !known.isAwaited(symbol, session) &&
    (differs(known.rates(session), used.rates) || differs(known.dividends(symbol), used.dividends))
  )
}

const differs = <Value>(known: Known<Value>, used: Value) => known !== undefined && known.value !== used
