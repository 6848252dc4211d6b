import { usd } from '../../parts/format.ts'
import { buckets } from '../../state/screens/hedging-state.ts'

/** Gamma at the chosen price by days to expiration, positive to the right. */
export function Buckets() {
  const most = Math.max(1, ...buckets.value.map(({ gex }) => Math.abs(gex)))
  return (
    <table class="hedges">
      <tbody>
        {buckets.value.map(({ bucket, gex }) => (
          <tr key={bucket}>
            <th scope="row">{bucket === '0' ? 'today' : `${bucket.replace('-', '–')} d`}</th>
            <td class="bar">
              <i class={gex < 0 ? 'sell' : 'buy'} style={{ width: `${(Math.abs(gex) / most) * 50}%` }} />
            </td>
            <td class="n">{usd(gex)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
