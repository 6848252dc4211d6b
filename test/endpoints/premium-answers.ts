/** Answers of the risk premium endpoints as they are read off the wire. */

type Figures<Names extends string> = Readonly<Record<Names, number | null>>
type Horizon = 5 | 10 | 20 | 30

export interface Vrp {
  readonly symbol: string
  readonly underlying_price: number
  readonly as_of: string
  readonly market_open: boolean
  readonly vrp: Figures<'atm_iv' | `rv_${Horizon}d` | `vrp_${Horizon}d` | 'z_score' | 'percentile'> & {
    readonly history_days: number
  }
  readonly variance_risk_premium: number | null
  readonly convexity_premium: number | null
  readonly fair_vol: number | null
  readonly directional: Figures<
    'put_wing_iv_25d' | 'call_wing_iv_25d' | 'downside_rv_20d' | 'upside_rv_20d' | 'downside_vrp' | 'upside_vrp'
  >
  readonly term_vrp: readonly { dte: number; iv: number; rv: number; vrp: number }[]
  readonly gex_conditioned: {
    readonly regime: string
    readonly harvest_score: number | null
    readonly interpretation: string
  }
  readonly vanna_conditioned: { readonly outlook: string; readonly interpretation: string }
  readonly regime: {
    readonly gamma: string
    readonly vrp_regime: string | null
    readonly net_gex: number | null
    readonly gamma_flip: number | null
  }
  readonly strategy_scores: Figures<'short_put_spread' | 'short_strangle' | 'iron_condor' | 'calendar_spread'> | null
  readonly net_harvest_score: number | null
  readonly dealer_flow_risk: number | null
  readonly warnings: readonly string[]
  readonly macro: Figures<'vix' | 'vix_3m' | 'vix_term_slope' | 'dgs10' | 'hy_spread' | 'fed_funds'>
}

export interface VrpHistory {
  readonly symbol: string
  readonly days: number
  readonly data_points: number
  readonly history: readonly (Figures<'atm_iv' | `rv_${Horizon}d` | 'vrp_20d' | 'straddle' | 'expected_move_1d'> & {
    readonly date: string
    readonly spot: number
  })[]
}

export interface SpotVolCorrelation {
  readonly as_of: string
  readonly spot_vol_correlation_20d: number | null
  readonly spot_vol_correlation_60d: number | null
  readonly data_points_20d: number
  readonly data_points_60d: number
  readonly interpretation: string
}

export interface ExposureHistory {
  readonly days: number
  readonly count: number
  readonly snapshots: readonly { readonly date: string; readonly net_gex: number; readonly regime: string }[]
}
