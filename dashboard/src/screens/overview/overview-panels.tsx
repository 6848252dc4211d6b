import { lazy, Suspense } from 'preact/compat'
import { DefaultWords } from '../../parts/answer-words.tsx'
import { useFocus } from '../../parts/focus-context.ts'
import { Panel } from '../../parts/panel.tsx'
import { shortDate } from '../../state/day/time.ts'
import type { Exposures, NoZeroDte } from '../../state/screens/exposures.ts'
import { ExpiringToday } from './expiring-today.tsx'
import { Hedging, hedgedNoMore, hedgingTable } from './hedging-steps.tsx'

/** Loaded after the page, since its drawing needs a library that the first picture does without. */
const ByExpiration = lazy(() =>
  import('../../charts/by-expiration.tsx').then(({ ByExpiration }) => ({ default: ByExpiration }))
)

/** Net gamma of each expiration. */
export function ByExpirationPanel() {
  const { term } = useFocus().exposures
  return (
    <Panel
      name="by-expiration"
      title="Gamma by expiration"
      method="term-structure"
      embed="expirations"
      of={[term]}
      actions={<DefaultWords />}
      table={() => termTable(term)}
    >
      <Suspense fallback={null}>
        <ByExpiration term={term} />
      </Suspense>
    </Panel>
  )
}

/** Key figures of today's expiration. */
export function TodayPanel() {
  const { zeroDte, nothingToday } = useFocus().exposures
  const empty = emptyToday(nothingToday.value)
  return (
    <Panel name="zero" title="Expiring today" method="zero-dte" embed="today" of={[zeroDte]} empty={empty}>
      <ExpiringToday />
    </Panel>
  )
}

/** Hedging of today's expiration at steps of spot. */
export function HedgingPanel() {
  const { zeroDte, nothingToday, today } = useFocus().exposures
  return (
    <Panel
      name="hedging"
      title="Dealer hedges today if spot moves"
      method="hedging"
      embed="hedging"
      of={[zeroDte]}
      empty={emptyToday(nothingToday.value) ?? hedgedNoMore(today.value)}
      table={() => hedgingTable(today.value)}
    >
      <Hedging />
    </Panel>
  )
}

/** Names the next expiration on a day without one. */
function emptyToday(nothing: NoZeroDte | undefined): string | undefined {
  if (nothing === undefined) return undefined
  const next = nothing.next_zero_dte_expiry
  return next === null ? 'Nothing expires today.' : `Nothing expires today; the next expiration is ${shortDate(next)}.`
}

function termTable(term: Exposures['term']) {
  const rows = term.answer.value?.by_expiry ?? []
  return {
    columns: [
      'expiration',
      'dte (days)',
      'net_gex (USD per 1 %)',
      'net_dex (USD)',
      'net_vex (USD per 1.00 vol)',
      'net_chex (USD a day)'
    ],
    rows: rows.map((each) => [each.expiration, each.dte, each.net_gex, each.net_dex, each.net_vex, each.net_chex])
  }
}
