/** The stock summary and the surface grid as they are read off the wire. */

interface HedgeMove {
  readonly dealer_shares: number
  readonly direction: string
  readonly notional_usd: number
}

interface Index {
  readonly value: number
  readonly change: number | null
  readonly change_pct: number | null
}

export interface StockSummary {
  readonly symbol: string
  readonly as_of: string
  readonly market_open: boolean
  readonly price: {
    readonly bid: number | null
    readonly ask: number | null
    readonly mid: number
    readonly last: number
    readonly last_update: string
  }
  readonly volatility: {
    readonly atm_iv: number | null
    readonly hv_20: number | null
    readonly hv_60: number | null
    readonly vrp: number | null
    readonly skew_25d: {
      readonly expiry: string
      readonly days_to_expiry: number
      readonly put_25d_iv: number
      readonly atm_iv: number
      readonly call_25d_iv: number
      readonly skew_25d: number
      readonly smile_ratio: number | null
    } | null
    readonly iv_term_structure: readonly { expiry: string; iv: number; days_to_expiry: number }[]
  }
  readonly options_flow: {
    readonly total_call_oi: number
    readonly total_put_oi: number
    readonly total_call_volume: number
    readonly total_put_volume: number
    readonly pc_ratio_oi: number | null
    readonly pc_ratio_volume: number | null
    readonly active_expirations: number
  }
  readonly exposure: {
    readonly net_gex: number
    readonly net_dex: number
    readonly net_vex: number
    readonly net_chex: number
    readonly gamma_flip: number | null
    readonly call_wall: number | null
    readonly put_wall: number | null
    readonly max_pain: number | null
    readonly highest_oi_strike: number | null
    readonly regime: string
    readonly interpretation: Readonly<Record<'gamma' | 'vanna' | 'charm', string>>
    readonly hedging_estimate: { readonly spot_down_1pct: HedgeMove; readonly spot_up_1pct: HedgeMove }
    readonly zero_dte: {
      readonly net_gex: number
      readonly pct_of_total: number | null
      readonly expiration: string | null
    }
    readonly top_strikes: readonly {
      strike: number
      net_gex: number
      call_oi: number
      put_oi: number
      total_oi: number
    }[]
    readonly oi_weighted_dte: number | null
  } | null
  readonly macro: Readonly<Record<'vix' | 'vvix' | 'skew' | 'spx' | 'move', Index | null>> & {
    readonly vix_term_structure: {
      readonly levels: Readonly<Record<'vix9d' | 'vix' | 'vix3m' | 'vix6m', number | null>>
      readonly near_slope_pct: number | null
      readonly structure: string
    } | null
    readonly vix_futures: {
      readonly front_month: number
      readonly spot: number
      readonly spread: number
      readonly basis_pct: number
      readonly basis: string
    } | null
    readonly fear_and_greed: { readonly score: number; readonly rating: string } | null
  }
}

export interface SurfaceGridAnswer {
  readonly symbol: string
  readonly spot: number
  readonly as_of: string
  readonly grid_size: number
  readonly tenors: readonly number[]
  readonly moneyness: readonly number[]
  readonly iv: readonly (readonly number[])[]
  readonly slices_used: number
}
