import { sentenceOf } from '../../parts/sentences.ts'
import { place, turn } from '../../state/page/address.ts'
import { gex, map, series, stage } from '../../state/screens/overview-state.ts'
import { missingDay } from '../stage/missing-day.ts'
import { MapToggle, stagePanel } from '../stage/stage-panel.tsx'
import { Toggle } from '../stage/toggle.tsx'
import { strikesTable, Tip } from './strike-tip.tsx'

const StagePanel = stagePanel({ stage, label: 'Price and gamma by strike', tip: Tip })

/** Price of the day with levels, beside gamma by strike, for other pages. */
export function Stage() {
  const { map: isMapOn, today: isToday } = place.value
  return (
    <StagePanel
      of={[gex, series]}
      name="gamma-by-strike"
      title="Gamma by strike"
      table={strikesTable}
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
        byDefault: isMapOn ? 'map and flip line' : 'flip line',
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
