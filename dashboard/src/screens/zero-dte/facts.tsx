import { fixed, percent, short } from '../../parts/format.ts'
import { today } from '../../state/screens/overview-state.ts'

type Fact = readonly [name: string, unit: string, value: number | null | undefined, text: string]

/** Facts with their values and texts. */
function factsOf(): readonly Fact[] {
  const found = today.value
  const [flow, liquidity, vol] = [found?.flow, found?.liquidity, found?.vol_context]
  const count = (name: string, value: number | undefined): Fact => [name, 'contracts', value, short(value)]
  const share = (name: string, value: number | null | undefined, decimals = 0): Fact => [
    name,
    '%',
    value,
    percent(value, 'plain', decimals)
  ]
  const plain = (name: string, unit: string, value: number | null | undefined, decimals: number): Fact => [
    name,
    unit,
    value,
    fixed(value, decimals)
  ]
  return [
    count('Calls traded', flow?.call_volume),
    count('Puts traded', flow?.put_volume),
    plain('Put / call volume', 'ratio', flow?.pc_ratio_volume, 2),
    plain('Volume / OI', 'ratio', flow?.volume_to_oi_ratio, 2),
    share('At the money', flow?.atm_volume_share_pct),
    share('Busiest 3 strikes', flow?.top3_strike_volume_pct),
    share('Volatility, today', vol?.zero_dte_atm_iv, 1),
    share('Volatility, 7 days', vol?.seven_dte_atm_iv, 1),
    plain('Skew, 25Δ', 'points', vol?.skew_25d, 2),
    share('Spread, ATM', liquidity?.atm_spread_pct, 1),
    share('Spread, by OI', liquidity?.weighted_spread_pct, 1),
    plain('Execution score', 'of 100', liquidity?.execution_score, 0)
  ]
}

/** Volume, trading cost and volatility of today's expiration. */
export function Facts() {
  return (
    <dl class="pairs">
      {factsOf().map(([name, , , text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

export function factsTable() {
  return {
    columns: ['figure', 'unit', 'value'],
    rows: factsOf().map(([name, unit, value]) => [name, unit, value ?? null])
  }
}
