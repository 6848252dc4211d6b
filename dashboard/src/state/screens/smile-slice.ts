import type { AnswerOf } from 'gammawall/client'

export type Slice = AnswerOf<'/v1/adv_volatility/{symbol}'>['svi_parameters'][number]

/** Fitted volatility at a strike, percent; undefined if the fitted variance is not positive. */
export function fittedVolatility(slice: Slice, strike: number): number | undefined {
  const k = Math.log(strike / slice.forward) - slice.m
  const variance = slice.a + slice.b * (slice.rho * k + Math.hypot(k, slice.sigma))
  // Scaled from the volatility at the money, so the years to expiration are not needed.
  return variance > 0 ? slice.atm_iv * Math.sqrt(variance / slice.atm_total_variance) : undefined
}

/** Range of the smile, in standard deviations of the underlying below and above the forward. */
const [BELOW, ABOVE] = [5.2, 3.4] as const

/** The lowest and the highest strike to draw. */
export function strikeRange({ forward, atm_total_variance: variance }: Slice): readonly [number, number] {
  const deviation = Math.sqrt(variance)
  return [forward * Math.exp(-BELOW * deviation), forward * Math.exp(ABOVE * deviation)]
}

/** An out-of-the-money quote as volatilities, percent. */
export interface Quote {
  readonly strike: number
  readonly type: 'C' | 'P'
  readonly mid: number
  readonly bid: number | null
  readonly ask: number | null
}

type Rows = AnswerOf<'/optionquote/{ticker}'>
type OptionQuote = Extract<Rows, readonly unknown[]>[number]

/** Out-of-the-money quotes around a forward, in percent; the service answers in fractions. */
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
