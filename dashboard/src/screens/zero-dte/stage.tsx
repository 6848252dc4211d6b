import { ladder } from '../../charts/ladder.tsx'
import { priceChart } from '../../charts/price.tsx'
import { level, short } from '../../parts/format.ts'
import { stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import { hrefOf, place, turn } from '../../state/address.ts'
import { hours } from '../../state/day.ts'
import { today, zeroDte } from '../../state/overview.ts'
import { newYork } from '../../state/time.ts'
import { heat, marks, series, stage } from '../../state/zero-dte.ts'
import { Crosshair, stepper } from '../stage/crosshair.tsx'
import { Toggle } from '../stage/toggle.tsx'

const PriceChart = priceChart(stage)
const Ladder = ladder(stage)
const step = stepper(stage)

/** The price within the range that today's options leave it, on the axis of their strikes. */
export function Stage() {
  const { scale, map: isMapOn, heat: shown } = place.value
  const isFlow = shown === 'flow'
  return (
    <section
      class="panel stage"
      aria-label="Price, range left and gamma of today by strike"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its crosshair
      tabIndex={0}
      onKeyDown={step}
      {...stateOf([zeroDte, series, heat])}
    >
      <header class="caption">
        <h2>Price and range left</h2>
        <p class="legend">
          {isMapOn && <i class="swatch heat" />}
          {isMapOn && (isFlow ? 'hedge flow by strike and minute' : 'gamma of today by strike, with its flow')}{' '}
          <i class="line faint" />
          1σ to the close
        </p>
        <Toggle
          name="Map"
          sign="▒"
          hint="Map behind the price (m)"
          isOn={isMapOn}
          act={() => turn({ map: !isMapOn })}
        />
        <Toggle
          name="Map of flow"
          sign="⇅"
          hint="Map of flow rather than of gamma (h)"
          isOn={isFlow}
          act={() => turn({ heat: isFlow ? 'gamma' : 'flow' })}
        />
        <PanelMenu name="strikes-0dte" title="Strikes that expire today" table={table} />
      </header>
      <header class="caption right">
        <h2>Gamma of today</h2>
        <p class="legend">
          <i class="swatch put" />
          <i class="swatch call" />
          puts, calls <i class="tick" />
          net
        </p>
        <Toggle
          name="Root scale"
          sign="√"
          hint="Root or linear scale (k)"
          isOn={scale === 'root'}
          act={() => turn({ scale: scale === 'root' ? 'linear' : 'root' })}
        />
      </header>
      <div class="price">
        <PriceChart />
        <Missing />
      </div>
      <div class="ladder">
        <Ladder />
        <Expired />
      </div>
      <div class="over">
        <Crosshair stage={stage} tip={Tip} />
      </div>
    </section>
  )
}

/** Why there is no day, or no map, to draw. */
function Missing() {
  const { symbol, map } = place.value
  const [day, behind] = [series.trouble.value, map ? heat.trouble.value : undefined]
  if (day?.status === 404)
    return <p class="note-in">Nothing is recorded of {symbol} yet: its day is drawn from here on</p>
  if (day !== undefined) return <p class="note-in">{sentenceOf(day)}</p>
  return behind === undefined ? null : <p class="note-in">No map. {sentenceOf(behind)}</p>
}

/** Half an hour, milliseconds. */
const HALF_HOUR = 1_800_000

/** Why no strike has gamma, and the way back to when they had. */
function Expired() {
  if (today.value?.expired !== true || hours.value === undefined) return null
  return (
    <p class="note-in">
      These contracts have expired.{' '}
      <a href={hrefOf({ at: newYork(hours.value.close - HALF_HOUR) })}>Replay their last half hour</a>
    </p>
  )
}

/** What stands at the strike under the pointer. */
function Tip({ strike }: { readonly strike: number }) {
  const found = today.value?.strikes.find((each) => each.strike === strike)
  if (found === undefined) return null
  const names = marks.value.find(({ value }) => value === strike)?.names
  return (
    <>
      <b>{level(strike)}</b>
      <span class="call">Call {short(found.call_gex)}</span>
      <span class="put">Put {short(found.put_gex)}</span>
      <span>Net {short(found.net_gex, 'signed')}</span>
      {names !== undefined && <small>{names.join(' · ')}</small>}
      <small>
        OI {short(found.call_oi)} / {short(found.put_oi)} · volume {short(found.call_volume)} /{' '}
        {short(found.put_volume)}
      </small>
      <small>charm {short(found.net_chex, 'signed')} a day</small>
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
  ['net_chex', 'net_chex (USD a day)'],
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
