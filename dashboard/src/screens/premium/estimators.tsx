import { fixed } from '../../parts/format.ts'
import { estimates, premium } from '../../state/screens/premium-state.ts'

const NAMES = [
  ['close_to_close', 'Close to close'],
  ['parkinson', 'Parkinson'],
  ['garman_klass', 'Garman–Klass'],
  ['rogers_satchell', 'Rogers–Satchell'],
  ['yang_zhang', 'Yang–Zhang']
] as const

const WINDOWS = ['rv10', 'rv20', 'rv30'] as const

/** Five estimators of realized volatility over three windows, beside implied volatility. */
export function Estimators() {
  const found = estimates.answer.value?.estimators
  if (found === undefined) return null
  const implied = premium.answer.value?.vrp.atm_iv ?? undefined
  const all = NAMES.flatMap(([field]) => WINDOWS.map((window) => found[field][window]))
  const seen = [...all, implied].filter((each) => typeof each === 'number')
  const [low, high] = [Math.min(...seen), Math.max(...seen)]
  const place = (value: number) => `${4 + (86 * (value - low)) / (high - low || 1)}%`
  return (
    <table class="estimators">
      <thead>
        <tr>
          <th scope="col">Estimator, %</th>
          <td class="dots-of" aria-hidden="true">
            {implied !== undefined && <span style={{ left: place(implied) }}>implied</span>}
          </td>
          <th scope="col">10d</th>
          <th scope="col">20d</th>
          <th scope="col">30d</th>
        </tr>
      </thead>
      <tbody>
        {NAMES.map(([field, name]) => (
          <tr key={field}>
            <th scope="row">{name}</th>
            <td class="dots-of" aria-hidden="true">
              {implied !== undefined && <i class="implied" style={{ left: place(implied) }} />}
              {WINDOWS.map((window) => {
                const value = found[field][window]
                return value === null ? null : <i key={window} class={window} style={{ left: place(value) }} />
              })}
            </td>
            {WINDOWS.map((window) => (
              <td key={window} class="n">
                {fixed(found[field][window], 2)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function estimatorsTable() {
  const found = estimates.answer.value?.estimators
  return {
    columns: ['estimator', 'rv10 (%)', 'rv20 (%)', 'rv30 (%)'],
    rows: found === undefined ? [] : NAMES.map(([field]) => [field, ...WINDOWS.map((window) => found[field][window])])
  }
}
