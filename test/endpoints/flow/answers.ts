/**
 * Types of the flow answers that tests read. Shared parts are declared once; contract-shapes.test.ts proves the
 * declared shapes against the contract.
 */

export interface Opening {
  readonly symbol: string
  readonly underlying_price: number
  readonly as_of: string
  readonly expiry: string | null
}

export interface FlowLevels extends Opening {
  readonly live_gamma_flip: number | null
  readonly live_call_wall: number | null
  readonly live_put_wall: number | null
  readonly live_max_pain: number | null
}

export interface FlowPinRisk extends Opening {
  readonly live_pin_risk: number
  readonly magnet_strike: number | null
  readonly distance_to_magnet_pct: number | null
  readonly time_to_close_hours: number
  readonly breakdown: Readonly<Record<'oi_score' | 'proximity_score' | 'time_score' | 'gamma_score', number>>
}

export interface FlowSummary extends Opening {
  readonly flow_direction: string
  readonly intraday_oi_delta: number
  readonly contracts_with_flow: number
  readonly contracts_total: number
  readonly live_gex: number
  readonly flow_gex_pct_shift: number | null
}

type GexRow = Readonly<
  Record<'strike' | 'call_gex' | 'put_gex' | 'net_gex' | 'call_oi' | 'put_oi' | 'call_volume' | 'put_volume', number>
> &
  Readonly<Record<'call_oi_change' | 'put_oi_change', number | null>>

export interface FlowGex extends Opening {
  readonly live_net_gex: number
  readonly live_net_gex_label: string
  readonly live_gamma_flip: number | null
  readonly strikes: readonly GexRow[]
}

export interface FlowDex extends Opening {
  readonly live_net_dex: number
  readonly strikes: readonly Readonly<Record<'strike' | 'call_dex' | 'put_dex' | 'net_dex', number>>[]
}

type RiskFigures = Readonly<
  Record<
    | 'settled_net_gex'
    | 'live_net_gex'
    | 'flow_gex_adjustment'
    | 'settled_net_dex'
    | 'live_net_dex'
    | 'flow_dex_adjustment'
    | 'total_abs_delta_contracts',
    number
  >
> &
  Readonly<Record<'flow_gex_pct_shift' | 'flow_dex_pct_shift', number | null>> &
  Readonly<Record<'flow_direction' | 'description', string>>

export type FlowDealerRisk = Opening & RiskFigures & { readonly contracts_with_flow: number }

type SimulatorFigures = Readonly<
  Record<
    | 'official_oi'
    | 'simulated_oi'
    | 'intraday_oi_delta'
    | 'oi_delta_confidence'
    | 'effective_oi'
    | 'contracts_with_flow',
    number
  >
>

export type FlowOi = Omit<Opening, 'underlying_price'> & SimulatorFigures & { readonly contracts_total: number }

export type FlowLive = FlowLevels &
  SimulatorFigures & {
    readonly contracts: number
    readonly live_gex: number
    readonly live_gex_delta: number
    readonly live_pin_risk: number
    readonly flow_adjusted_dealer_risk: RiskFigures
  }

interface Signal extends Readonly<Record<'premium' | 'price' | 'size' | 'score' | 'strike' | 'dte', number>> {
  readonly ts: string
  readonly expiry: string
  readonly side: string
  readonly structure: string
  readonly intent: string
  readonly open_close_bias: string
  readonly contract_net_oi_delta: number
  readonly tags: readonly string[]
  readonly score_breakdown: Readonly<Record<string, number>>
  readonly enrichment: Readonly<
    Record<'iv' | 'delta' | 'gamma' | 'iv_vs_atm' | 'estimated_delta_notional', number | null>
  > & { readonly moneyness: string }
}

export interface FlowSignals extends Opening {
  readonly window_minutes: number
  readonly chain: Readonly<Record<'call_wall' | 'put_wall' | 'max_pain' | 'gamma_flip', number | null>>
  readonly count: number
  readonly signals: readonly Signal[]
}

export interface FlowSignalsSummary extends Opening {
  readonly signal_count: number
  readonly bullish_premium: number
  readonly bearish_premium: number
  readonly net_directional_premium: number
  readonly opening_premium: number
  readonly closing_premium: number
  readonly top_signals: readonly Signal[]
}

/** Any of the three shapes. */
export interface ZeroDteSnapshot {
  readonly as_of: string
  readonly market_open: boolean
  readonly session_closed?: true
  readonly last_session?: string
  readonly no_zero_dte?: true
  readonly underlying_price?: number
  readonly expiration?: string | null
  readonly exposures?: Readonly<Record<'net_gex' | 'total_chain_net_gex', number>>
  readonly pin_risk?: {
    readonly pin_score: number
    readonly components: Readonly<Record<'oi_score' | 'proximity_score' | 'time_score' | 'gamma_score', number>>
  }
  readonly flow?: Readonly<Record<'total_oi' | 'call_oi' | 'put_oi', number>>
  readonly strikes?: readonly { readonly strike: number }[]
  readonly flow_direction?: {
    readonly label: string
    readonly live_net_gex: number
    readonly contracts_with_flow: number
  }
}
