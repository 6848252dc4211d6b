import { useEffect, useRef } from 'preact/hooks'
import { sourceFor } from '../../state/chart/carried-levels.ts'
import { shownPanes } from '../../state/chart/chart-state.ts'
import { FIELDS, NO_PANES } from '../../state/chart/fields.ts'
import { GROUP_NAMES, hiddenGroups, withGroup } from '../../state/chart/level-lines.ts'
import { place, turn } from '../../state/page/address.ts'
import { isTicker, LEVEL_GROUPS, MOST_COMPARED, MOST_PANES } from '../../state/page/place.ts'
import type { Candles } from '../../state/page/reader.ts'
import { changeSettings, settings } from '../../state/page/settings.ts'

/** Contents of the lists of the toolbar, by the names of their buttons. */
const LISTS = {
  Candles: CandleChoice,
  Levels: LevelChoice,
  Panes: PaneChoice,
  Compare: CompareField
} as const

/** One of the lists that the toolbar of the chart opens. */
export default function ChartList({ of }: { readonly of: keyof typeof LISTS }) {
  const List = LISTS[of]
  return <List />
}

const CANDLES: readonly (readonly [kind: Candles, name: string])[] = [
  ['quiet', 'Quiet: light and grey'],
  ['hollow', 'Hollow and filled'],
  ['colour', 'Green and red'],
  ['line', 'Line of closes']
]

/** How bars are drawn, in every chart of the reader. */
function CandleChoice() {
  const chosen = settings.value.candles ?? 'quiet'
  return (
    <>
      {CANDLES.map(([kind, name]) => (
        <label key={kind}>
          <input
            type="radio"
            name="candles"
            checked={kind === chosen}
            onChange={() => changeSettings({ candles: kind })}
          />
          {name}
        </label>
      ))}
    </>
  )
}

function LevelChoice() {
  const { levels } = place.value
  return (
    <>
      {LEVEL_GROUPS.map((group) => (
        <label key={group}>
          <input
            type="checkbox"
            checked={!hiddenGroups(levels).includes(group)}
            onChange={({ currentTarget }) => turn({ levels: withGroup(levels, group, currentTarget.checked) })}
          />
          {GROUP_NAMES[group]}
        </label>
      ))}
      <CarryField />
    </>
  )
}

/** Figures below the chart, by plain names. */
function PaneChoice() {
  const chosen = shownPanes.value
  const show = (fields: readonly string[]) => turn({ panes: fields.length === 0 ? NO_PANES : fields.join() })
  return (
    <>
      {Object.entries(FIELDS).map(([id, { name }]) => {
        const isOn = chosen.includes(id)
        return (
          <label key={id}>
            <input
              type="checkbox"
              checked={isOn}
              disabled={!isOn && chosen.length >= MOST_PANES}
              onChange={() => show(isOn ? chosen.filter((each) => each !== id) : [...chosen, id])}
            />
            {name}
          </label>
        )
      })}
    </>
  )
}

/** The symbol whose levels are drawn over the chart. */
function CarryField() {
  const { symbol, carried } = place.value
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const written = String(new FormData(event.currentTarget).get('carried')).trim().toUpperCase()
        turn({ carried: isTicker(written) && written !== symbol ? written : undefined })
      }}
    >
      <label>
        Levels of another symbol, at its ratio
        <input
          key={carried}
          name="carried"
          defaultValue={carried ?? ''}
          placeholder={sourceFor(symbol) ?? 'SPX'}
          autocomplete="off"
          size={8}
        />
      </label>
      <button type="submit" class="chip">
        Carry over
      </button>
    </form>
  )
}

/** Other symbols, separated by commas. */
function CompareField() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const words = new FormData(event.currentTarget).get('symbols')
        const symbols = String(words)
          .toUpperCase()
          .split(/[\s,]+/)
          .filter((each) => each !== '')
        turn({ versus: symbols.length === 0 ? undefined : symbols.slice(0, MOST_COMPARED).join() })
      }}
    >
      <label>
        Symbols
        <input
          ref={field}
          name="symbols"
          defaultValue={place.value.versus ?? ''}
          placeholder="QQQ, IWM"
          autocomplete="off"
          size={14}
        />
      </label>
      <button type="submit" class="chip">
        Compare
      </button>
    </form>
  )
}
