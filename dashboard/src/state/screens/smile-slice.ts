import type { AnswerOf } from 'gammawall/client'

export type Slice = AnswerOf<'/v1/adv_volatility/{symbol}'>['svi_parameters'][number]

/** Volatility of a fitted slice at a strike, percent; undefined where the fit has no positive variance. */
export function fittedVolatility(slice: Slice, strike: number): number | undefined {
  const k = Math.log(strike / slice.forward) - slice.m
  const variance = slice.a + slice.b * (slice.rho * k + Math.hypot(k, slice.sigma))
  // The years of the slice need not be known: the variance at the money stands for its volatility.
  return variance > 0 ? slice.atm_iv * Math.sqrt(variance / slice.atm_total_variance) : undefined
}

/** Deviations of the underlying to each side that a smile is drawn over. */
const [BELOW, ABOVE] = [5.2, 3.4] as const

/** Lowest and highest strike of the picture of a slice. */
export function strikeRange({ forward, atm_total_variance: variance }: Slice): readonly [number, number] {
  const deviation = Math.sqrt(variance)
  return [forward * Math.exp(-BELOW * deviation), forward * Math.exp(ABOVE * deviation)]
}

/** A quote that shows volatility: out of the money, in percent. */
export interface Quote {
  readonly strike: number
  readonly type: 'C' | 'P'
  readonly mid: number
  readonly bid: number | null
  readonly ask: number | null
}

type Rows = AnswerOf<'/optionquote/{ticker}'>
type OptionQuote = Extract<Rows, readonly unknown[]>[number]

/** The quotes out of the money at a forward, in percent; the wire has fractions. */
export function quotesOf(rows: Rows, forward: number): readonly Quote[] {
  const list: readonly OptionQuote[] = Array.isArray(rows) ? (rows as readonly OptionQuote[]) : [rows as OptionQuote]
  const percent = (value: number | null) => (value === null ? null : value * 100)
  return list
    .flatMap(({ strike, type, implied_vol: vol, iv_bid, iv_ask }) =>
      vol !== null && (type === 'C') === strike >= forward
        ? [{ strike, type, mid: vol * 100, bid: percent(iv_bid), ask: percent(iv_ask) }]
        : []
    )
    .sort((a, b) => a.strike - b.strike)
}
