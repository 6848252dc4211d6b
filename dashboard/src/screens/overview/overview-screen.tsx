import { lazy, Suspense } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { chartFigures } from '../../state/chart/chart-state.ts'
import { seeding } from '../../state/chart/seeding.ts'
import { stripDays } from '../../state/chart/strip-state.ts'
import { briefDate } from '../../state/day/brief-time.ts'
import { place } from '../../state/page/address.ts'
import { all } from '../../state/screens/overview-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { ChartPanel } from './chart-panel.tsx'
import { ByExpirationPanel, HedgingPanel, TodayPanel } from './overview-panels.tsx'
import { Rail } from './overview-rail.tsx'
import { Regime } from './overview-regime.tsx'

/** Loaded at the hours that it is for. */
const MorningBrief = lazy(() => import('./morning-brief.tsx'))

/** The day at a glance: price and levels on one axis, their meaning, and today's expiration. */
export function Overview() {
  useEffect(() => startAll([...all, ...chartFigures, stripDays, seeding]), [])
  return (
    <main class="overview">
      <h1 class="hidden">Overview of {place.value.symbol}</h1>
      {briefDate.value !== undefined && (
        <Suspense fallback={null}>
          <MorningBrief />
        </Suspense>
      )}
      <Regime />
      <ChartPanel />
      <Rail />
      <ByExpirationPanel />
      <TodayPanel />
      <HedgingPanel />
    </main>
  )
}
