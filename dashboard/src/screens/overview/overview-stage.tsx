import { level, short } from '../../parts/format.ts'
import { sentenceOf } from '../../parts/sentences.ts'
import { place, turn } from '../../state/page/address.ts'
import { gex, map, marks, series, stage, today } from '../../state/screens/overview-state.ts'
import { missingDay } from '../stage/missing-day.ts'
import { MapToggle, stagePanel } from '../stage/stage-panel.tsx'
import { Toggle } from '../stage/toggle.tsx'

const StagePanel = stagePanel({ stage, label: 'Price and gamma by strike', tip: Tip })

/** Price of the day with levels, beside gamma by strike. */
export function Stage() {
  const { map: isMapOn, today: isToday } = place.value
  return (
    <StagePanel
      of={[gex, series]}
      name="gamma-by-strike"
      title="Gamma by strike"
      table={table}
      embed="ladder"
      price={{
        title: 'Price and levels',
        method: 'key-levels',
        legend: (
          <>
            {isMapOn && <i class="swatch heat" />}
            {isMapOn && 'net gamma by strike, through the day'} <i class="line dash" />
            flip <i class="line dots" />
            1σ to the close
          </>
        ),
        actions: <MapToggle name="Gamma map" hint="Gamma map behind the price" />,
        byConvention: isMapOn ? 'map and flip line' : 'flip line',
        note: missingDay(series, stage) ?? missingMap()
      }}
      strikes={{
        title: 'Gamma by strike',
        method: 'gamma-exposure',
        legend: (
          <>
            <i class="swatch both" />
            today{' '}
            {!isToday && (
              <>
                <i class="swatch both pale" />
                all{' '}
              </>
            )}
            <i class="tick" />
            net
          </>
        ),
        actions: (
          <Toggle
            name="Today only"
            sign="◧"
            hint="Only options that expire today (d)"
            isOn={isToday}
            act={() => turn({ today: !isToday })}
          />
        ),
        note: missingStrikes()
      }}
    />
  )
}

/** Why there is no map behind the price. */
function missingMap(): string | undefined {
  const trouble = place.value.map ? map.trouble.value : undefined
  return trouble && `No map. ${sentenceOf(trouble)}`
}

/** Why there is no gamma by strike. */
function missingStrikes(): string | undefined {
  const trouble = gex.answer.value === undefined ? gex.trouble.value : undefined
  return trouble && sentenceOf(trouble)
}

const strikesOf = () => gex.answer.value?.strikes ?? []

/** Figures of the strike under the pointer. */
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
