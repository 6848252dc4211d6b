import { useEffect } from 'preact/hooks'
import { place } from '../../state/page/address.ts'
import { all } from '../../state/screens/overview-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { ByExpirationPanel, HedgingPanel, TodayPanel } from './overview-panels.tsx'
import { Rail } from './overview-rail.tsx'
import { Regime } from './overview-regime.tsx'
import { Stage } from './overview-stage.tsx'

/** The day at a glance: price and levels on one axis, their meaning, and today's expiration. */
export function Overview() {
  useEffect(() => startAll(all), [])
  return (
    <main class="overview">
      <h1 class="hidden">Overview of {place.value.symbol}</h1>
      <Regime />
      <Stage />
      <Rail />
      <ByExpirationPanel />
      <TodayPanel />
      <HedgingPanel />
    </main>
  )
}
