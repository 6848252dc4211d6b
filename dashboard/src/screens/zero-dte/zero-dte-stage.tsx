import { short } from '../../parts/format.ts'
import { sentenceOf } from '../../parts/sentences.ts'
import { hours } from '../../state/day/day.ts'
import { newYork } from '../../state/day/time.ts'
import { hrefOf, place, turn } from '../../state/page/address.ts'
import { today, zeroDte } from '../../state/screens/overview-state.ts'
import { heat, marks, series, stage } from '../../state/screens/zero-dte-state.ts'
import { missingDay } from '../stage/missing-day.ts'
import { MapToggle, stagePanel } from '../stage/stage-panel.tsx'
import { StrikeGamma } from '../stage/strike-gamma.tsx'
import { Toggle } from '../stage/toggle.tsx'

const StagePanel = stagePanel({ stage, label: 'Price, range left and gamma of today by strike', tip: Tip })

/** Price within the range that today's options imply, beside their gamma by strike. */
export function Stage() {
  const { map: isMapOn, heat: shown } = place.value
  const isFlow = shown === 'flow'
  return (
    <StagePanel
      of={[zeroDte, series, heat]}
      name="strikes-0dte"
      title="Strikes that expire today"
      table={table}
      price={{
        title: 'Price and range left',
        method: 'expected-move',
        legend: (
          <>
            {isMapOn && <i class="swatch heat" />}
            {isMapOn && (isFlow ? 'hedge flow by strike and minute' : 'gamma of today by strike, with its flow')}{' '}
            <i class="line faint" />
            1σ to the close
          </>
        ),
        actions: (
          <>
            <MapToggle name="Map" hint="Map behind the price" />
            <Toggle
              name="Map of flow"
              sign="⇅"
              hint="Map of flow rather than of gamma (h)"
              isOn={isFlow}
              act={() => turn({ heat: isFlow ? 'gamma' : 'flow' })}
            />
          </>
        ),
        byConvention: isMapOn && !isFlow ? 'map' : undefined,
        note: missingDay(series, stage) ?? missingMap()
      }}
      strikes={{
        title: 'Gamma of today',
        method: 'gamma-exposure',
        legend: (
          <>
            <i class="swatch both" />
            puts, calls <i class="tick" />
            net
          </>
        ),
        note: expired()
      }}
    />
  )
}

/** Why there is no map behind the price. */
function missingMap(): string | undefined {
  const trouble = place.value.map ? heat.trouble.value : undefined
  return trouble && `No map. ${sentenceOf(trouble)}`
}

/** Milliseconds. */
const HALF_HOUR = 1_800_000

/** Says that today's options have expired, with a link to a moment before. */
function expired() {
  if (today.value?.expired !== true || hours.value === undefined) return undefined
  return (
    <>
      These contracts have expired.{' '}
      <a href={hrefOf({ at: newYork(hours.value.close - HALF_HOUR) })}>Replay their last half hour</a>
    </>
  )
}

/** Figures of the strike under the pointer. */
function Tip({ strike }: { readonly strike: number }) {
  const found = today.value?.strikes.find((each) => each.strike === strike)
  if (found === undefined) return null
  const names = marks.value.find(({ value }) => value === strike)?.names
  return (
    <>
      <StrikeGamma strike={strike} gamma={found} names={names} />
      <small>
        OI {short(found.call_oi)} / {short(found.put_oi)} · volume {short(found.call_volume)} /{' '}
        {short(found.put_volume)}
      </small>
      <small>charm {short(found.net_chex, 'signed')} to the close</small>
    </>
  )
}

const COLUMNS = [
  ['strike', 'strike (USD)'],
  ['call_gex', 'call_gex (USD per 1 %)'],
  ['put_gex', 'put_gex'],
  ['net_gex', 'net_gex'],
  ['net_dex', 'net_dex (USD)'],
  ['net_vex', 'net_vex (USD per 1.00 vol)'],
  ['net_chex', 'net_chex (USD to the close)'],
  ['call_oi', 'call_oi (contracts)'],
  ['put_oi', 'put_oi'],
  ['call_volume', 'call_volume'],
  ['put_volume', 'put_volume'],
  ['call_iv', 'call_iv (fraction)'],
  ['put_iv', 'put_iv'],
  ['call_mid', 'call_mid (USD)'],
  ['put_mid', 'put_mid']
] as const

function table() {
  return {
    columns: COLUMNS.map(([, title]) => title),
    rows: (today.value?.strikes ?? []).map((row) => COLUMNS.map(([field]) => row[field]))
  }
}
