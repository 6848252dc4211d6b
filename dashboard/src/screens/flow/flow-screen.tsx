import { useEffect } from 'preact/hooks'
import { trackChart } from '../../charts/track-chart.tsx'
import { short } from '../../parts/format.ts'
import { place } from '../../state/page/address.ts'
import { all, followFlow, netTrack, running } from '../../state/screens/flow-state.ts'
import { pressures } from '../../state/screens/pressure-state.ts'
import { startAll } from '../../state/service/figures.ts'
import { followWhile } from '../../state/stream/stream-state.ts'
import { CardPlace } from '../card/card-place.tsx'
import { TrackPanel } from '../track-panel.tsx'
import { Leaders } from './leaders.tsx'
import { Pressure } from './pressure.tsx'
import { Signals } from './signals.tsx'
import { Tape } from './tape.tsx'
import { Tilt } from './tilt.tsx'
import '../../style/day.css'
import '../../style/flow.css'

const NetVolume = trackChart({
  of: netTrack,
  lines: [{ tone: 'call', width: 1.75 }],
  figure: short,
  label: 'Contracts bought minus contracts sold, cumulative since the open'
})

const NO_PRINT = 'No trades in this session yet.'

/** Hedging pressure, the tape, notable orders, and their effect on dealers. */
export default function Flow() {
  useEffect(() => startAll([...all, ...pressures]), [])
  useEffect(() => followWhile(followFlow), [])
  return (
    <main class="flow-screen">
      <h1 class="hidden">Option flow of {place.value.symbol}</h1>
      <Tilt />
      <Pressure />
      <Tape />
      <Signals />
      <Leaders />
      <TrackPanel
        name="net-volume"
        title="Net contracts"
        method="trade-side"
        legend="bought less sold, since the open"
        of={running}
        tracks={[{ of: netTrack, columns: 'net volume (contracts since the open)', chart: NetVolume }]}
        none={NO_PRINT}
      />
      <CardPlace />
    </main>
  )
}
