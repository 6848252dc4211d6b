/** The fields of answers that tests look at. Their shapes are proven against the contract in contract-shapes.test.ts. */

export interface Opening {
  readonly symbol: string
  readonly underlying_price: number
  readonly as_of: string
}

interface Net {
  readonly net_gex: number
  readonly net_dex: number
  readonly net_vex: number
  readonly net_chex: number
}

export interface GexRow {
  readonly strike: number
  readonly call_gex: number
  readonly put_gex: number
  readonly net_gex: number
  readonly call_oi: number
  readonly put_oi: number
  readonly call_volume: number
  readonly put_volume: number
  readonly call_oi_change: number | null
  readonly put_oi_change: number | null
}

export interface Gex extends Opening {
  readonly gamma_flip: number | null
  readonly net_gex: number
  readonly net_gex_label: string
  readonly strikes: readonly GexRow[]
}

/** The answers of dex, vex and chex, by the names of their fields. */
export type ByStrike = Opening & Readonly<Record<string, unknown>> & { readonly strikes: readonly StrikeFigures[] }

/** A strike with its figures by the names of their fields. */
export type StrikeFigures = Readonly<Record<string, number>> & { readonly strike: number }

interface Hedge {
  readonly dealer_shares_to_trade: number
  readonly direction: string
  readonly notional_usd: number
}

export interface Summary extends Opening {
  readonly gamma_flip: number | null
  readonly regime: string
  readonly exposures: Net
  readonly interpretation: { readonly gamma: string; readonly vanna: string; readonly charm: string }
  readonly hedging_estimate: { readonly spot_up_1pct: Hedge; readonly spot_down_1pct: Hedge }
  readonly zero_dte: {
    readonly net_gex: number
    readonly pct_of_total_gex: number | null
    readonly expiration: string | null
  }
}

export interface Levels extends Opening {
  readonly levels: Readonly<
    Record<
      | 'gamma_flip'
      | 'max_positive_gamma'
      | 'max_negative_gamma'
      | 'call_wall'
      | 'put_wall'
      | 'highest_oi_strike'
      | 'zero_dte_magnet',
      number | null
    >
  >
}

export interface Narrative extends Opening {
  readonly narrative: Readonly<Record<string, string>> & {
    readonly data: {
      readonly net_gex: number
      readonly net_gex_prior: number | null
      readonly net_gex_change_pct: number | null
      readonly vix: number | null
      readonly gamma_flip: number | null
      readonly call_wall: number | null
      readonly put_wall: number | null
      readonly regime: string
      readonly zero_dte_pct: number | null
      readonly top_oi_changes: readonly { strike: number; type: string; oi_change: number; volume: number }[]
    }
  }
}

type Figures<Names extends string> = Readonly<Record<Names, number | null>>

export interface ZeroDteStrike extends GexRow {
  readonly call_dex: number
  readonly put_dex: number
  readonly net_vex: number
  readonly net_chex: number
  readonly call_symbol: string | null
  readonly put_symbol: string | null
  readonly call_iv: number | null
  readonly put_iv: number | null
  readonly call_delta: number | null
  readonly put_delta: number | null
  readonly call_gamma: number | null
  readonly put_gamma: number | null
  readonly call_theta: number | null
  readonly put_theta: number | null
  readonly call_mid: number | null
  readonly put_mid: number | null
  readonly call_spread_pct: number | null
  readonly put_spread_pct: number | null
  readonly gex_share_pct: number | null
  readonly oi_share_pct: number | null
  readonly volume_share_pct: number | null
}

export interface ZeroDte extends Opening {
  readonly no_zero_dte: undefined
  readonly expiration: string
  readonly market_open: boolean
  readonly time_to_close_hours: number
  readonly time_to_close_pct: number
  readonly regime: {
    readonly label: string
    readonly gamma_flip: number | null
    readonly spot_vs_flip: string | null
    readonly spot_to_flip_pct: number | null
    readonly distance_to_flip_dollars: number | null
    readonly distance_to_flip_sigmas: number | null
  }
  readonly exposures: Net & { readonly pct_of_total_gex: number | null; readonly total_chain_net_gex: number }
  readonly expected_move: Figures<
    | 'implied_1sd_dollars'
    | 'implied_1sd_pct'
    | 'remaining_1sd_dollars'
    | 'remaining_1sd_pct'
    | 'upper_bound'
    | 'lower_bound'
    | 'straddle_price'
    | 'atm_iv'
  >
  readonly pin_risk: {
    readonly magnet_strike: number | null
    readonly magnet_gex: number | null
    readonly pin_score: number
    readonly components: Readonly<Record<'oi_score' | 'proximity_score' | 'time_score' | 'gamma_score', number>>
    readonly max_pain: number | null
    readonly oi_concentration_top3_pct: number | null
  }
  readonly hedging: Readonly<Record<string, Hedge>> & { readonly convexity_at_spot: number | null }
  readonly decay: {
    readonly net_theta_dollars: number | null
    readonly theta_per_hour_remaining: number | null
    readonly charm_regime: string
    readonly gamma_acceleration: number | null
    readonly description: string
  }
  readonly vol_context: {
    readonly zero_dte_atm_iv: number | null
    readonly seven_dte_atm_iv: number | null
    readonly iv_ratio_0dte_7dte: number | null
    readonly skew_25d: number | null
    readonly vanna_exposure: number
    readonly vanna_interpretation: string
  }
  readonly flow: Readonly<
    Record<
      'total_volume' | 'call_volume' | 'put_volume' | 'net_call_minus_put_volume' | 'total_oi' | 'call_oi' | 'put_oi',
      number
    >
  > &
    Figures<
      'pc_ratio_volume' | 'pc_ratio_oi' | 'volume_to_oi_ratio' | 'atm_volume_share_pct' | 'top3_strike_volume_pct'
    >
  readonly levels: Figures<
    | 'call_wall'
    | 'call_wall_gex'
    | 'call_wall_strength'
    | 'put_wall'
    | 'put_wall_gex'
    | 'put_wall_strength'
    | 'highest_oi_strike'
    | 'highest_oi_total'
    | 'level_cluster_score'
  >
  readonly liquidity: Figures<'atm_spread_pct' | 'weighted_spread_pct' | 'execution_score'>
  readonly metadata: Figures<
    'snapshot_age_seconds' | 'chain_contract_count' | 'data_quality_score' | 'greek_smoothness_score'
  >
  readonly strikes: readonly ZeroDteStrike[]
  readonly warnings?: readonly string[]
}

export interface NoZeroDte extends Opening {
  readonly no_zero_dte: true
  readonly expiration: null
  readonly market_open: boolean
  readonly message: string
  readonly next_zero_dte_expiry: string | null
}

export interface Sheet extends Opening {
  readonly expiration: string | null
  readonly is_opex: boolean
  readonly is_triple_witching: boolean
  readonly totals: Net & { readonly net_dag: number }
  readonly lis: { readonly strike: number; readonly magnitude: number } | null
  readonly peaks: readonly { strike: number; net_gex: number; strength: number; side: string }[]
  readonly strikes: readonly StrikeFigures[]
}

export interface TermRow extends Net {
  readonly expiration: string
  readonly dte: number
  readonly is_opex: boolean
  readonly is_triple_witching: boolean
  readonly pct_of_chain_gex: number
}

export interface TermStructure extends Opening {
  readonly by_dte_bucket: readonly (Net & { bucket: string; dte_range: readonly number[]; contract_count: number })[]
  readonly by_expiry: readonly TermRow[]
}

export interface Basket {
  readonly as_of: string
  readonly constituent_count: number
  readonly missing_symbols: readonly string[]
  readonly aggregate: Net
  readonly constituents: readonly (Net & { symbol: string; weight: number; contribution_pct: number; regime: string })[]
}

export interface OiDiff extends Opening {
  readonly prior_snapshot_available: boolean
  readonly total_call_oi_change: number
  readonly total_put_oi_change: number
  readonly top_oi_changes: readonly {
    strike: number
    type: string
    expiry: string
    today_oi: number
    prior_oi: number
    oi_change: number
  }[]
}

export interface MaxPain extends Opening {
  readonly max_pain_strike: number
  readonly distance: { readonly absolute: number; readonly percent: number; readonly direction: string }
  readonly signal: string
  readonly expiration: string
  readonly put_call_oi_ratio: number | null
  readonly pain_curve: readonly { strike: number; call_pain: number; put_pain: number; total_pain: number }[]
  readonly oi_by_strike: readonly { strike: number; call_oi: number; put_oi: number; total_oi: number }[]
  readonly max_pain_by_expiration: readonly { expiration: string; max_pain_strike: number; total_oi: number }[] | null
  readonly dealer_alignment: Readonly<Record<'gamma_flip' | 'call_wall' | 'put_wall', number | null>> & {
    readonly alignment: string
    readonly description: string
  }
  readonly regime: string
  readonly expected_move: {
    readonly straddle_price: number | null
    readonly atm_iv: number | null
    readonly max_pain_within_expected_range: boolean | null
  }
  readonly pin_probability: number
}

export interface OptionQuote {
  readonly underlying: string
  readonly type: 'C' | 'P'
  readonly expiry: string
  readonly strike: number
  readonly bid: number
  readonly ask: number
  readonly mid: number
  readonly implied_vol: number | null
  readonly iv_bid: number | null
  readonly iv_ask: number | null
  readonly delta: number | null
  readonly gamma: number | null
  readonly theta: number | null
  readonly vega: number | null
  readonly rho: number | null
  readonly vanna: number | null
  readonly charm: number | null
  readonly svi_vol: number | null
  readonly svi_vol_gated: string | null
  readonly open_interest: number
  readonly volume: number
  readonly occ_symbol: string
}

export interface StockQuote {
  readonly ticker: string
  readonly bid: number | null
  readonly ask: number | null
  readonly mid: number
  readonly lastPrice: number
}

export interface OptionsListing {
  readonly symbol: string
  readonly expirations: readonly { expiration: string; strikes: readonly number[] }[]
  readonly expiration_count: number
  readonly total_contracts: number
}
