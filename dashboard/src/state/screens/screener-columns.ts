import type { View } from '../page/place.ts'

/** Number format of a column. */
export type Unit =
  | 'price'
  | 'level'
  | 'usd'
  | 'contracts'
  | 'percent'
  | 'part'
  | 'points'
  | 'ratio'
  | 'days'
  | 'score'
  | 'word'
  | 'share'

export interface Column {
  /** A field of the screener, or the name of a formula. */
  readonly field: string
  readonly name: string
  readonly unit: Unit
}

const column = (field: string, name: string, unit: Unit): Column => ({ field, name, unit })

const PRICE = column('price', 'Price', 'price')

/** The columns of each view, by wire name. All views show the price. */
export const COLUMNS: Readonly<Record<View, readonly Column[]>> = {
  levels: [
    PRICE,
    column('regime', 'Regime', 'word'),
    column('net_gex', 'Net GEX', 'usd'),
    column('gamma_flip', 'Flip', 'price'),
    column('put_wall', 'Put wall', 'level'),
    column('call_wall', 'Call wall', 'level'),
    column('max_pain', 'Max pain', 'level'),
    column('zero_dte_pct_of_total', '0DTE', 'part'),
    column('atm_iv', 'Implied', 'percent')
  ],
  volatility: [
    PRICE,
    column('atm_iv', 'Implied', 'percent'),
    column('iv_rank', 'IV rank', 'score'),
    column('rv_20d', 'Realized 20d', 'percent'),
    column('vrp_20d', 'Premium', 'points'),
    column('vrp_assessment', 'Premium is', 'word'),
    column('skew_25d', 'Skew 25Δ', 'points'),
    column('term_state', 'Term', 'word'),
    column('near_slope_pct', 'Near slope', 'percent')
  ],
  strategies: [
    PRICE,
    column('vrp_regime', 'Regime', 'word'),
    column('harvest_score', 'Harvest', 'score'),
    column('short_put_spread_score', 'Put spread', 'score'),
    column('short_strangle_score', 'Strangle', 'score'),
    column('iron_condor_score', 'Iron condor', 'score'),
    column('calendar_spread_score', 'Calendar', 'score'),
    column('dealer_flow_risk', 'Flow risk', 'score'),
    column('vrp_z_score', 'Z-score', 'points')
  ],
  interest: [
    PRICE,
    column('total_call_oi', 'Call OI', 'contracts'),
    column('total_put_oi', 'Put OI', 'contracts'),
    column('pc_ratio_oi', 'Put / call', 'ratio'),
    column('total_call_volume', 'Call volume', 'contracts'),
    column('total_put_volume', 'Put volume', 'contracts'),
    column('pc_ratio_volume', 'Put / call', 'ratio'),
    column('oi_weighted_dte', 'Mean days', 'days'),
    column('atm_spread_pct', 'Spread', 'percent')
  ],
  flow: [
    PRICE,
    column('net_premium', 'Net premium', 'usd'),
    column('net_option_volume', 'Net volume', 'contracts'),
    column('flow_direction', 'Flow is', 'word'),
    column('flow_gex_pct_shift', 'GEX shift', 'share'),
    column('hedge_flow_cumulative', 'Hedge flow', 'usd'),
    column('put_call_ratio', 'Put / call', 'ratio'),
    column('net_gex', 'Net GEX', 'usd')
  ]
}

export const VIEW_NAMES: Readonly<Record<View, string>> = {
  levels: 'Levels',
  volatility: 'Volatility',
  strategies: 'Strategies',
  interest: 'Interest',
  flow: 'Flow'
}

/** A named formula of the screener. */
export interface Formula {
  readonly alias: string
  readonly expression: string
}

/** Reads formulas such as `gap = price - gamma_flip; twice = 2 * gap` and skips any without a name. */
export function formulasOf(text: string | undefined): readonly Formula[] {
  return (text ?? '').split(';').flatMap((each) => {
    const at = each.indexOf('=')
    const [alias, expression] = [each.slice(0, Math.max(0, at)).trim(), each.slice(at + 1).trim()]
    return alias === '' || expression === '' ? [] : [{ alias, expression }]
  })
}

export interface SortKey {
  readonly name: string
  readonly isDown: boolean
}

export function sortKeysOf(text: string | undefined): readonly SortKey[] {
  return (text?.split(',') ?? []).map((each) => ({ name: each.replace('-', ''), isDown: each.startsWith('-') }))
}

/** The next sort after a click on a column: descending, ascending, none. */
export function nextSort(text: string | undefined, name: string): string | undefined {
  const [first] = sortKeysOf(text)
  if (first?.name !== name) return `-${name}`
  return first.isDown ? name : undefined
}
