import { useFocus } from '../../parts/focus-context.ts'
import { usd } from '../../parts/format.ts'
import type { ZeroDte } from '../../state/screens/exposures.ts'

const STEPS = [
  ['+1\u2009%', 'spot_up_1pct', 1],
  ['+0.5', 'spot_up_half_pct', 0.5],
  ['+0.25', 'spot_up_25bp', 0.25],
  ['−0.25', 'spot_down_25bp', -0.25],
  ['−0.5', 'spot_down_half_pct', -0.5],
  ['−1\u2009%', 'spot_down_1pct', -1]
] as const

/** Hedging of today's expiration at steps of spot. */
export function Hedging() {
  const hedging = useFocus().exposures.today.value?.hedging
  if (hedging === undefined) return null
  const most = Math.max(1, ...STEPS.map(([, step]) => Math.abs(hedging[step].notional_usd)))
  return (
    <table class="hedges">
      <tbody>
        {STEPS.map(([name, step]) => {
          const { direction, notional_usd: worth } = hedging[step]
          return (
            <tr key={step}>
              <th scope="row">{name}</th>
              <td class="bar">
                <i class={direction} style={{ width: `${(Math.abs(worth) / most) * 50}%` }} />
              </td>
              <td class="n">
                {direction} {usd(Math.abs(worth))}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** Why there is nothing to hedge, once today's options have expired. */
export function hedgedNoMore(today: ZeroDte | undefined): string | undefined {
  return today?.expired === true ? 'Expired options are no longer hedged.' : undefined
}

export function hedgingTable(today: ZeroDte | undefined) {
  const hedging = today?.hedging
  return {
    columns: ['move (%)', 'dealer_shares_to_trade', 'notional (USD)'],
    rows:
      hedging === undefined
        ? []
        : STEPS.map(([, step, move]) => [move, hedging[step].dealer_shares_to_trade, hedging[step].notional_usd])
  }
}
