/** How a figure is written. */
export type Unit = 'usd' | 'price' | 'percent' | 'number' | 'score'

export interface Field {
  readonly name: string
  readonly unit: Unit
  /** Whether it is drawn as bars from zero. */
  readonly isSigned?: true
}

/** Figures of `/v1/series` that can stand below the chart, with plain names. */
export const FIELDS: Readonly<Record<string, Field>> = {
  net_gex: { name: 'Net GEX, per 1 %', unit: 'usd', isSigned: true },
  atm_iv: { name: 'At-the-money IV', unit: 'percent' },
  atm_iv_30d: { name: '30-day IV', unit: 'percent' },
  skew_25d: { name: '25-delta skew', unit: 'percent' },
  net_dex: { name: 'Net DEX', unit: 'usd', isSigned: true },
  net_vex: { name: 'Net VEX, per 100 vol points', unit: 'usd', isSigned: true },
  net_chex: { name: 'Net CHEX, a day', unit: 'usd', isSigned: true },
  'zero_dte.net_gex': { name: '0DTE net GEX', unit: 'usd', isSigned: true },
  'zero_dte.net_chex': { name: '0DTE net CHEX', unit: 'usd', isSigned: true },
  'zero_dte.pin_score': { name: '0DTE pin score', unit: 'score' },
  'zero_dte.theta_per_hour': { name: '0DTE theta an hour', unit: 'usd', isSigned: true },
  'zero_dte.remaining_1sd_dollars': { name: 'Move left today, 1σ', unit: 'price' },
  expected_move_1d: { name: 'Expected move, a day', unit: 'price' },
  pc_ratio_oi: { name: 'Puts per call, open interest', unit: 'number' },
  pc_ratio_volume: { name: 'Puts per call, volume', unit: 'number' },
  total_call_oi: { name: 'Call open interest', unit: 'number' },
  total_put_oi: { name: 'Put open interest', unit: 'number' },
  total_call_volume: { name: 'Call volume', unit: 'number' },
  total_put_volume: { name: 'Put volume', unit: 'number' },
  'flow.net_premium': { name: 'Net premium', unit: 'usd', isSigned: true },
  'flow.delta_dollars': { name: 'Hedging of flow, delta dollars', unit: 'usd', isSigned: true },
  'flow.net_gex_live': { name: 'Net GEX with flow', unit: 'usd', isSigned: true }
}

/** Figures below the chart unless the address names others. */
export const USUAL_PANES = 'net_gex,atm_iv'
/** The word of an address for no figures below the chart. */
export const NO_PANES = 'none'

/** Fields of an address that are known. */
export function paneFields(text: string | undefined): readonly string[] {
  return [...new Set((text ?? USUAL_PANES).split(','))].filter((each) => Object.hasOwn(FIELDS, each))
}
