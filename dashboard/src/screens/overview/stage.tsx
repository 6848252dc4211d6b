import { ladder } from '../../charts/ladder.tsx'
import { priceChart } from '../../charts/price.tsx'
import { level, short } from '../../parts/format.ts'
import { stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import { place, turn } from '../../state/address.ts'
import { gex, map, marks, series, stage, today } from '../../state/overview.ts'
import { Crosshair, stepper } from '../stage/crosshair.tsx'
import { Toggle } from '../stage/toggle.tsx'

const PriceChart = priceChart(stage)
const Ladder = ladder(stage)

/** Price and strikes share one vertical axis: a level is one line through both. */
export function Stage() {
  const { scale, map: isMapOn, today: isToday } = place.value
  return (
    <section
      class="panel stage"
      aria-label="Price and gamma by strike"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its crosshair
      tabIndex={0}
      onKeyDown={step}
      {...stateOf([gex, series])}
    >
      <header class="caption">
        <h2>Price and levels</h2>
        <p class="legend">
          {isMapOn && <i class="swatch heat" />}
          {isMapOn && 'net gamma by strike, through the day'} <i class="line dash" />
          flip <i class="line dots" />
          1σ to the close
        </p>
        <Toggle
          name="Gamma map"
          sign="▒"
          hint="Gamma map behind the price (m)"
          isOn={isMapOn}
          act={() => turn({ map: !isMapOn })}
        />
        <PanelMenu name="gamma-by-strike" title="Gamma by strike" table={table} embed="ladder" />
      </header>
      <header class="caption right">
        <h2>Gamma by strike</h2>
        <p class="legend">
          <i class="swatch put" />
          <i class="swatch call" />
          today{' '}
          {!isToday && (
            <>
              <i class="swatch put pale" />
              <i class="swatch call pale" />
              all{' '}
            </>
          )}
          <i class="tick" />
          net
        </p>
        <Toggle
          name="Root scale"
          sign="√"
          hint="Root or linear scale (k)"
          isOn={scale === 'root'}
          act={() => turn({ scale: scale === 'root' ? 'linear' : 'root' })}
        />
        <Toggle
          name="Today only"
          sign="◧"
          hint="What expires today only (d)"
          isOn={isToday}
          act={() => turn({ today: !isToday })}
        />
      </header>
      <div class="price">
        <PriceChart />
        <Missing />
      </div>
      <div class="ladder">
        <Ladder />
      </div>
      <div class="over">
        <Crosshair stage={stage} tip={Tip} />
      </div>
    </section>
  )
}

/** Why there is no day to draw. */
function Missing() {
  const { symbol } = place.value
  const trouble = series.trouble.value ?? (place.value.map ? map.trouble.value : undefined)
  if (trouble === undefined) return null
  const isNew = trouble.status === 404
  return (
    <p class="note-in">
      {isNew ? `Nothing is recorded of ${symbol} yet: its day is drawn from here on` : sentenceOf(trouble)}
    </p>
  )
}

const strikesOf = () => gex.answer.value?.strikes ?? []

const step = stepper(stage)

/** What stands at the strike under the pointer. */
function Tip({ strike }: { readonly strike: number }) {
  const found = strikesOf().find((each) => each.strike === strike)
  if (found === undefined) return null
  const expiring = today.value?.strikes.find((each) => each.strike === strike)
  const names = marks.value.find(({ value }) => value === strike)?.names
  return (
    <>
      <b>{level(strike)}</b>
      <span class="call">Call {short(found.call_gex)}</span>
      <span class="put">Put {short(found.put_gex)}</span>
      <span>Net {short(found.net_gex, 'signed')}</span>
      {names !== undefined && <small>{names.join(' · ')}</small>}
      <small>
        OI {short(found.call_oi)} / {short(found.put_oi)} · change {short(found.call_oi_change, 'signed')} /{' '}
        {short(found.put_oi_change, 'signed')} · volume {short(found.call_volume)} / {short(found.put_volume)}
      </small>
      {expiring !== undefined && <small>expiring today: net {short(expiring.net_gex, 'signed')}</small>}
    </>
  )
}

function table() {
  return {
    columns: [
      'strike (USD)',
      'call_gex (USD per 1 %)',
      'put_gex',
      'net_gex',
      'call_oi',
      'put_oi',
      'call_volume',
      'put_volume'
    ],
    rows: strikesOf().map((each) => [
      each.strike,
      each.call_gex,
      each.put_gex,
      each.net_gex,
      each.call_oi,
      each.put_oi,
      each.call_volume,
      each.put_volume
    ])
  }
}
