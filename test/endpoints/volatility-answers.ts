/** Answers of the volatility endpoints as they are read off the wire. */

type Figures<Names extends string> = Readonly<Record<Names, number | null>>

interface Opening {
  readonly symbol: string
  readonly underlying_price: number
  readonly as_of: string
}

type SkewFigures = Readonly<
  Record<'put_10d_iv' | 'put_25d_iv' | 'atm_iv' | 'call_25d_iv' | 'call_10d_iv' | 'skew_25d' | 'tail_convexity', number>
>

export interface Volatility extends Opening {
  readonly realized_vol: Figures<'rv_5d' | 'rv_10d' | 'rv_20d' | 'rv_30d' | 'rv_60d'>
  readonly atm_iv: number | null
  readonly iv_rv_spreads: Figures<'vrp_5d' | 'vrp_10d' | 'vrp_20d' | 'vrp_30d'> & { readonly assessment: string | null }
  readonly skew_profiles: readonly (SkewFigures & { expiry: string; days_to_expiry: number; smile_ratio: number })[]
  readonly term_structure: Figures<'near_slope_pct' | 'far_slope_pct'> & { readonly state: string }
  readonly gex_by_dte: readonly { bucket: string; net_gex: number; pct_of_total: number; contract_count: number }[]
  readonly theta_by_dte: readonly { bucket: string; net_theta: number; contract_count: number }[]
  readonly put_call_profile: {
    readonly by_expiry: readonly {
      expiry: string
      call_oi: number
      put_oi: number
      pc_ratio_oi: number | null
    }[]
    readonly by_moneyness: Readonly<
      Record<'otm_call_oi' | 'atm_call_oi' | 'itm_call_oi' | 'otm_put_oi' | 'atm_put_oi' | 'itm_put_oi', number>
    >
  }
  readonly oi_concentration: Figures<'top_3_pct' | 'top_5_pct' | 'top_10_pct' | 'herfindahl'>
  readonly hedging_scenarios: readonly {
    move_pct: number
    dealer_shares: number
    direction: string
    notional_usd: number
  }[]
}

export interface SviRow {
  readonly expiry: string
  readonly days_to_expiry: number
  readonly forward: number
  readonly a: number
  readonly b: number
  readonly rho: number
  readonly m: number
  readonly sigma: number
  readonly atm_total_variance: number
  readonly atm_iv: number
}

export interface SviAnswer extends Opening {
  readonly svi_parameters: readonly SviRow[]
}

export interface GreekGrid {
  readonly strikes: readonly number[]
  readonly expiries: readonly string[]
  readonly values: readonly (readonly (number | null)[])[]
}

export interface AdvVolatility extends SviAnswer {
  readonly forward_prices: readonly {
    expiry: string
    days_to_expiry: number
    forward: number
    spot: number
    basis_pct: number
  }[]
  readonly total_variance_surface: {
    readonly moneyness: readonly number[]
    readonly expiries: readonly string[]
    readonly tenors: readonly number[]
    readonly total_variance: readonly (readonly number[])[]
    readonly implied_vol: readonly (readonly number[])[]
  }
  readonly arbitrage_flags: readonly {
    expiry: string
    type: string
    strike_or_k: number
    description: string
    condition: string
    value: number
  }[]
  readonly variance_swap_fair_values: readonly {
    expiry: string
    fair_variance: number
    fair_vol: number
    atm_iv: number
    convexity_adjustment: number
  }[]
  readonly greeks_surfaces: Readonly<Record<'vanna' | 'charm' | 'volga' | 'speed', GreekGrid>>
}

type Windows = Figures<'rv10' | 'rv20' | 'rv30'>

export interface Realized extends Opening {
  readonly estimators: Readonly<
    Record<'close_to_close' | 'parkinson' | 'garman_klass' | 'rogers_satchell' | 'yang_zhang', Windows>
  >
}

export interface Forecast {
  readonly ewma: { readonly lambda: number; readonly vol_annualized: number; readonly next_day_forecast: number }
  readonly garch: {
    readonly distribution: string
    readonly params: Figures<'omega' | 'alpha' | 'beta'> & { readonly dof?: number | null }
    readonly persistence: number | null
    readonly long_run_vol_annualized: number | null
    readonly half_life_days: number | null
    readonly converged: boolean
    readonly forecast: readonly { horizon_days: number; vol_annualized: number }[] | null
  }
}

export interface SkewTerm extends Opening {
  readonly expiries: readonly (SkewFigures & {
    expiry: string
    dte: number
    risk_reversal_25d: number
    butterfly_25d: number
  })[]
}

export interface ExpectedMoves extends Opening {
  readonly expected_moves: readonly (Figures<
    'atmIv' | 'expectedMove' | 'expectedMovePct' | 'lowerBound' | 'upperBound'
  > & { readonly expiry: string; readonly daysToExpiry: number })[]
}

export interface Liquidity extends Opening {
  readonly chain_execution_score: number
  readonly best_expiry: string | null
  readonly worst_expiry: string | null
  readonly thin_expiry_count: number
  readonly expiries: readonly {
    expiration: string
    atm_spread_pct: number | null
    weighted_spread_pct: number | null
    atm_oi: number
    execution_score: number
    label: string
  }[]
}

export interface Dispersion {
  readonly as_of: string
  readonly constituent_count: number
  readonly missing_symbols: readonly string[]
  readonly implied_correlation: number | null
  readonly realized_correlation: number | null
  readonly correlation_premium: number | null
  readonly implied_vol_index: number
  readonly implied_vol_basket: number
  readonly top_contributors: readonly {
    symbol: string
    weight: number
    iv: number
    contribution_to_basket_vol: number
  }[]
}

export interface VixState {
  readonly vix: number
  readonly spx_rv_20d: number
  readonly spread: number
  readonly ratio: number | null
  readonly state: string
  readonly interpretation: string
}
