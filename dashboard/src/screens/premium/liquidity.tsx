import { fixed, NONE, short } from '../../parts/format.ts'
import { shortDate } from '../../state/day/time.ts'
import { liquidity } from '../../state/screens/premium-state.ts'

/** Trading cost by expiration. The service's score is 100 at best. */
export function LiquidityTable() {
  const found = liquidity.answer.value
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys
    <div class="scroll" tabIndex={0}>
      <table class="liquidity-rows">
        <thead>
          <tr>
            <th scope="col">Expiration</th>
            <th scope="col">Score</th>
            <th scope="col">Spread</th>
            <th scope="col">OI</th>
          </tr>
        </thead>
        <tbody>
          {found?.expiries.map(({ expiration, dte, execution_score: score, label, atm_spread_pct: spread, atm_oi }) => (
            <tr key={expiration}>
              <th scope="row">
                {shortDate(expiration)} <small>{dte}d</small>
              </th>
              <td class="score">
                <i class={label} style={{ width: `${score}%` }} />
                <b>{score}</b> <small>{label}</small>
              </td>
              <td class="n">{spread === null ? NONE : `${fixed(spread, 1)}\u2009%`}</td>
              <td class="n">{short(atm_oi)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function liquidityTable() {
  return {
    columns: [
      'expiration',
      'dte (days)',
      'atm_spread (%)',
      'weighted_spread (%)',
      'atm_oi (contracts)',
      'execution_score (0 to 100)',
      'label'
    ],
    rows: (liquidity.answer.value?.expiries ?? []).map((each) => [
      each.expiration,
      each.dte,
      each.atm_spread_pct,
      each.weighted_spread_pct,
      each.atm_oi,
      each.execution_score,
      each.label
    ])
  }
}
