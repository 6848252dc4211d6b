import { useEffect } from 'preact/hooks'
import { ByExpiration } from '../charts/by-expiration.tsx'
import { Panel } from '../parts/panel.tsx'
import { place } from '../state/address.ts'
import { startAll } from '../state/figures.ts'
import { all, nothingToday, term, zeroDte } from '../state/overview.ts'
import { shortDate } from '../state/time.ts'
import { ExpiringToday } from './overview/expiring-today.tsx'
import { Hedging, hedgingTable } from './overview/hedging.tsx'
import { Rail } from './overview/rail.tsx'
import { Regime } from './overview/regime.tsx'
import { Stage } from './overview/stage.tsx'

/** The day at a glance: price and levels on one axis, what they mean, and what expires today. */
export function Overview() {
  useEffect(() => startAll(all), [])
  return (
    <main class="overview">
      <h1 class="hidden">Overview of {place.value.symbol}</h1>
      <Regime />
      <Stage />
      <Rail />
      <Panel name="by-expiration" title="Gamma by expiration" of={[term]} table={termTable}>
        <ByExpiration />
      </Panel>
      <Panel name="zero" title="Expiring today" of={[zeroDte]} empty={emptyToday()}>
        <ExpiringToday />
      </Panel>
      <Panel
        name="hedging"
        title="Dealers hedge today, if spot moves"
        of={[zeroDte]}
        empty={emptyToday()}
        table={hedgingTable}
      >
        <Hedging />
      </Panel>
    </main>
  )
}

/** On a day without an expiration, when the next one is. */
function emptyToday(): string | undefined {
  const nothing = nothingToday.value
  if (nothing === undefined) return undefined
  const next = nothing.next_zero_dte_expiry
  return next === null ? 'Nothing expires today.' : `Nothing expires today; the next expiration is ${shortDate(next)}.`
}

function termTable() {
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
