import { Ladder } from '../../charts/ladder.tsx'
import { PADDING_TOP, PriceChart, TIME_AXIS } from '../../charts/price.tsx'
import { level, short } from '../../parts/format.ts'
import { stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import { place, turn } from '../../state/address.ts'
import { gex, map, marks, pointed, prices, series, today } from '../../state/overview.ts'

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
        <Cross />
      </div>
    </section>
  )
}

interface ToggleProps {
  readonly name: string
  readonly sign: string
  readonly hint: string
  readonly isOn: boolean
  readonly act: () => void
}

function Toggle({ name, sign, hint, isOn, act }: ToggleProps) {
  return (
    <button type="button" class="toggle" aria-label={name} aria-pressed={isOn} title={hint} onClick={act}>
      {sign}
    </button>
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

/** The strike nearest to a price. */
function nearest(at: number) {
  return strikesOf().reduce((best, each) => (Math.abs(each.strike - at) < Math.abs(best.strike - at) ? each : best))
}

/** The arrow keys move the crosshair from strike to strike; escape takes it away. */
function step(event: KeyboardEvent) {
  const way = { ArrowUp: 1, ArrowDown: -1 }[event.key]
  const [low, high] = prices.value ?? [0, 0]
  if (event.key === 'Escape') pointed.value = undefined
  if (way === undefined || strikesOf().length === 0 || event.target !== event.currentTarget) return
  event.preventDefault()
  const from = nearest(pointed.value ?? (low + high) / 2)
  const next = strikesOf()[strikesOf().indexOf(from) + way]
  if (next !== undefined && next.strike > low && next.strike < high) pointed.value = next.strike
}

/** A line through price and strikes at the strike under the pointer, and what stands there. */
function Cross() {
  const at = pointed.value
  const window = prices.value
  if (at === undefined || window === undefined || strikesOf().length === 0) return null
  const found = nearest(at)
  const share = (window[1] - found.strike) / (window[1] - window[0])
  if (share < 0 || share > 1) return null
  const expiring = today.value?.strikes.find(({ strike }) => strike === found.strike)
  const names = marks.value.find(({ value }) => value === found.strike)?.names
  return (
    <div class="cross" style={{ top: `calc(${PADDING_TOP}px + (100% - ${PADDING_TOP + TIME_AXIS}px) * ${share})` }}>
      <div class={`tip ${share < 0.35 ? 'below' : ''}`} role="status">
        <b>{level(found.strike)}</b>
        <span class="call">Call {short(found.call_gex)}</span>
        <span class="put">Put {short(found.put_gex)}</span>
        <span>Net {short(found.net_gex, 'signed')}</span>
        {names !== undefined && <small>{names.join(' · ')}</small>}
        <small>
          OI {short(found.call_oi)} / {short(found.put_oi)} · change {short(found.call_oi_change, 'signed')} /{' '}
          {short(found.put_oi_change, 'signed')} · volume {short(found.call_volume)} / {short(found.put_volume)}
        </small>
        {expiring !== undefined && <small>expiring today: net {short(expiring.net_gex, 'signed')}</small>}
      </div>
    </div>
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
