import { fits, stepOf } from '../../state/chart/period.ts'
import { LEVEL_GROUPS, PERIODS, type Period, type Place, STEPS, type Step } from '../../state/page/place.ts'
import { turnPanel } from '../../state/workspace/workspace-state.ts'

const NO_LEVELS = LEVEL_GROUPS.map((group) => `-${group}`).join()

/** Period, length of a bar, levels and map of a chart panel. */
export function ChartChoices({ at, place }: { readonly at: number; readonly place: Place }) {
  const { period, every, map, strikes, levels } = place
  const step = stepOf(period, every)
  const hasLevels = levels !== NO_LEVELS
  return (
    <span class="tile-choices">
      <select
        aria-label="Period"
        value={period}
        onChange={({ currentTarget }) => turnPanel(at, { period: currentTarget.value as Period, every: undefined })}
      >
        {PERIODS.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <select
        aria-label="Bars"
        value={step}
        onChange={({ currentTarget }) => turnPanel(at, { every: currentTarget.value as Step })}
      >
        {STEPS.filter((each) => fits(period, each)).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="chip"
        aria-pressed={hasLevels}
        onClick={() => turnPanel(at, { levels: hasLevels ? NO_LEVELS : undefined })}
      >
        Levels
      </button>
      <button type="button" class="chip" aria-pressed={map} onClick={() => turnPanel(at, { map: !map })}>
        Map
      </button>
      <button type="button" class="chip" aria-pressed={strikes} onClick={() => turnPanel(at, { strikes: !strikes })}>
        Strikes
      </button>
    </span>
  )
}
