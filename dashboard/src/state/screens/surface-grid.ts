import type { AnswerOf } from 'gammawall/client'

type Surface = AnswerOf<'/v1/adv_volatility/{symbol}'>['total_variance_surface']

/** Implied volatility over moneyness and time. */
export interface Grid {
  /** Log-moneyness, ascending. */
  readonly moneyness: readonly number[]
  readonly rows: readonly {
    readonly expiry: string
    /** Square root of the years to expiration, which gives near expirations more room. */
    readonly depth: number
    /** Percent. */
    readonly volatility: readonly number[]
  }[]
  readonly low: number
  readonly high: number
}

/** The drawn part of the surface: beyond it, fits rest on few quotes. */
const [LEAST, MOST] = [-0.2, 0.15] as const
const [SOONEST, LATEST] = [0.015, 2.2] as const
const SLACK = 1e-6

export function gridOf({ moneyness, expiries, tenors, implied_vol: vols }: Surface): Grid | undefined {
  const columns = moneyness.flatMap((each, i) => (each >= LEAST - SLACK && each <= MOST + SLACK ? [i] : []))
  const rows = expiries.flatMap((expiry, i) => {
    const years = tenors[i]!
    if (years < SOONEST || years > LATEST) return []
    return [{ expiry, depth: Math.sqrt(years), volatility: columns.map((column) => vols[i]![column]!) }]
  })
  if (rows.length < 2 || columns.length < 2) return undefined
  const all = rows.flatMap(({ volatility }) => volatility)
  return { moneyness: columns.map((i) => moneyness[i]!), rows, low: Math.min(...all), high: Math.max(...all) }
}

/** Days with a mark on time axes. */
export const MARKED_DAYS = [1, 7, 30, 90, 180, 365, 730] as const

export function daysText(days: number): string {
  return days >= 365 ? `${Math.round(days / 365)}y` : `${days}d`
}
