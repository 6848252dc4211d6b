import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { go, place } from '../state/page/address.ts'
import { DEALERS, type Dealers } from '../state/page/place.ts'
import { agreement, comparison, customers, isComparisonRequested, reasonOf } from '../state/service/dealer-model.ts'
import { embedToken } from '../state/service/sign-in.ts'
import { percent } from './format.ts'

/** Loaded once the models are compared. */
const CustomerSides = lazy(() => import('./customer-sides.tsx'))

const NAMES: Readonly<Record<Dealers, string>> = {
  convention: 'Long calls, short puts',
  all_short: 'Short every option',
  index_overwriting: 'Index overwriting',
  tape: "Opposite of today's tape"
}

const requestComparison = () => {
  isComparisonRequested.value = true
}

/** Choice of the dealer model, for all figures that depend on it. Embedded panels take it from their page. */
export function DealerChoice() {
  return embedToken.value === undefined ? <Choice /> : null
}

function Choice() {
  useEffect(() => comparison.start(), [])
  const { dealers } = place.value
  const shared = agreement.value
  return (
    <>
      <label class={dealers === 'convention' ? 'dealers' : 'dealers other'}>
        <span title="All sentences and trades assume that dealers hold these options: they sell what adds to their delta and buy what lowers it.">
          Dealers assumed
        </span>
        <select
          value={dealers}
          onFocus={requestComparison}
          onPointerEnter={requestComparison}
          onChange={({ currentTarget: { value } }) => go({ dealers: value as Dealers })}
        >
          {DEALERS.map((id) => (
            <option key={id} value={id} disabled={id !== dealers && reasonOf(id) !== undefined} title={reasonOf(id)}>
              {NAMES[id]}
            </option>
          ))}
        </select>
        {shared !== undefined && (
          <small title="Share of models with the same regime as the convention">
            {percent(100 * shared, 'plain', 0)} of models agree on the regime
          </small>
        )}
      </label>
      {customers.value && (
        <Suspense fallback={null}>
          <CustomerSides />
        </Suspense>
      )}
    </>
  )
}
