import { useEffect } from 'preact/hooks'
import { profileChart } from '../../charts/profile-chart.tsx'
import { trackChart } from '../../charts/track-chart.tsx'
import { DefaultWords } from '../../parts/answer-words.tsx'
import { price, usd } from '../../parts/format.ts'
import { Panel } from '../../parts/panel.tsx'
import { place } from '../../state/page/address.ts'
import {
  all,
  base,
  buckets,
  charm,
  charmToday,
  chosen,
  isMoved,
  moved,
  series,
  vanna,
  vannaToday
} from '../../state/screens/hedging-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { TrackPanel } from '../track-panel.tsx'
import { Buckets } from './buckets.tsx'
import { Reading } from './hedging-reading.tsx'
import { Side } from './hedging-side.tsx'
import { GammaProfilePanel, profileTable } from './profile-panel.tsx'
import '../../style/day.css'

const Vanna = profileChart({
  of: vanna,
  at: () => chosen.peek()?.vexPerPoint,
  label: 'Net vanna of dealers over prices of the underlying'
})
const Charm = profileChart({
  of: charm,
  at: () => chosen.peek()?.chex,
  label: 'Net charm of dealers over prices of the underlying'
})
const CharmToday = trackChart({
  of: charmToday,
  lines: [
    { tone: 'magnet', width: 1.75 },
    { tone: 'magnet', dash: [4, 3] }
  ],
  figure: usd,
  label: 'Net charm through the session: of all expirations and of today',
  hasHours: false
})
const VannaToday = trackChart({
  of: vannaToday,
  lines: [{ tone: 'flip', width: 1.75 }],
  figure: usd,
  label: 'Net vanna through the session'
})

/** Dealer hedging at every price, at other volatilities and later times. */
export default function Hedging() {
  useEffect(() => startAll(all), [])
  const of = [base, ...(isMoved.value ? [moved] : [])]
  return (
    <main class="hedging-screen">
      <h1 class="hidden">Hedging of {place.value.symbol}</h1>
      <Reading />
      <GammaProfilePanel />
      <Side />
      <Panel
        name="vanna-profile"
        title="Vanna at every price"
        method="vanna-exposure"
        legend="per vol point"
        of={of}
        table={profileTable}
      >
        <Vanna />
      </Panel>
      <Panel
        name="charm-profile"
        title="Charm at every price"
        method="charm-exposure"
        legend="a day; 0DTE to close"
        of={of}
        table={profileTable}
      >
        <Charm />
      </Panel>
      <TrackPanel
        name="through-day"
        title="Through the day"
        method="series"
        of={series}
        tracks={[
          { of: charmToday, columns: 'net charm (USD a day), of today (USD to the close)', chart: CharmToday },
          { of: vannaToday, columns: 'net vanna (USD per vol point)', chart: VannaToday }
        ]}
        none="No minute of this session was recorded."
        actions={<DefaultWords />}
        legend={
          <>
            <i class="line gold" />
            charm <i class="line gold dashes" />
            0DTE <i class="line flip-line" />
            vanna
          </>
        }
      />
      <Panel
        name="buckets"
        title={`Gamma by days to expiry, at ${price(chosen.value?.price)}`}
        method="exposure-profile"
        of={of}
        table={() => ({
          columns: ['days to expiry', 'gex (USD per 1 %)'],
          rows: buckets.value.map(({ bucket, gex }) => [bucket, gex])
        })}
      >
        <Buckets />
      </Panel>
    </main>
  )
}
