import { useEffect } from 'preact/hooks'
import { trackChart } from '../../charts/track-chart.tsx'
import { short, usd } from '../../parts/format.ts'
import { place } from '../../state/page/address.ts'
import { all, followFlow, hedge, hedgeTrack, netTrack, running } from '../../state/screens/flow-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { followWhile } from '../../state/stream/stream-state.ts'
import { TrackPanel } from '../track-panel.tsx'
import { Leaders } from './leaders.tsx'
import { Signals } from './signals.tsx'
import { Tape } from './tape.tsx'
import { Tilt } from './tilt.tsx'
import '../../style/day.css'

const HedgeFlow = trackChart({
  of: hedgeTrack,
  lines: [{ tone: 'price', width: 1.75 }],
  figure: usd,
  label: 'Estimated dealer hedging in options that expire today, cumulative since the open'
})
const NetVolume = trackChart({
  of: netTrack,
  lines: [{ tone: 'call', width: 1.75 }],
  figure: short,
  label: 'Contracts bought minus contracts sold, cumulative since the open'
})

const NO_PRINT = 'No trades in this session yet.'
const NO_HEDGE = 'No trades yet in options that expire today while their greeks were known.'

/** The tape, notable orders, and their effect on dealers. */
export default function Flow() {
  useEffect(() => startAll(all), [])
  useEffect(() => followWhile(followFlow), [])
  return (
    <main class="flow-screen">
      <h1 class="hidden">Option flow of {place.value.symbol}</h1>
      <Tilt />
      <Tape />
      <Signals />
      <Leaders />
      <TrackPanel
        name="hedge-flow"
        title="Hedge flow of today"
        method="hedge-flow"
        legend="dealers, since the open; above 0 they bought"
        of={hedge}
        tracks={[{ of: hedgeTrack, columns: 'hedge flow (USD since the open)', chart: HedgeFlow }]}
        none={NO_HEDGE}
      />
      <TrackPanel
        name="net-volume"
        title="Net contracts"
        method="trade-side"
        legend="bought less sold, since the open"
        of={running}
        tracks={[{ of: netTrack, columns: 'net volume (contracts since the open)', chart: NetVolume }]}
        none={NO_PRINT}
      />
    </main>
  )
}
