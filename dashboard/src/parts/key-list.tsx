import { useEffect, useRef } from 'preact/hooks'
import { areStepsOpen } from '../state/page/first-steps.ts'
import { areKeysOpen } from '../state/page/open-dialogs.ts'
import { SCREEN_IDS, SCREENS } from '../state/page/screens.ts'
import { Dialog } from './dialog.tsx'

type KeyRow = readonly [keys: string, does: string]

/** Screens per row. */
const IN_A_ROW = 4
const screenRows = SCREEN_IDS.flatMap((_, i): readonly KeyRow[] => {
  if (i % IN_A_ROW > 0) return []
  const row = SCREEN_IDS.slice(i, i + IN_A_ROW).map((each) => SCREENS[each])
  return [[row.map(({ key }) => key).join(' '), row.map(({ title }) => title).join(', ')]]
})

/** All keys with their effects. They do nothing while the reader types. */
export const KEYS: readonly KeyRow[] = [
  ...screenRows,
  ['/', 'symbol'],
  ['ctrl+k', 'symbols, screens and actions in one field'],
  ['[ ]', 'previous and next symbol of the list'],
  ['space', 'play or pause'],
  ['← →', 'a minute back or on, with shift 15; on the dates: expiration; in the chart: bar by bar, with shift ten'],
  ['home end', 'open and close of the session'],
  ['l', 'live'],
  ['a', 'alert line in the chart: arrows move it, Enter sets it, Escape gives it up'],
  ['+ − 0', 'price window narrower, wider, by itself'],
  ['shift+1…5', 'period of the chart: a day, 5, 20, three months, all'],
  ['b', 'next length of a bar'],
  ['k', 'root or linear scale'],
  ['m', 'map behind the price'],
  ['d', 'what expires today only'],
  ['c', 'compare: in the chart with other symbols, on Volatility with the session before'],
  ['v', 'values: the seen bars of the chart as a table'],
  ['y', 'card of the figure in focus, or of the first one: why, what it rests on, how sure, its history'],
  ['g', 'then the letter of a screen, which are listed'],
  ['h', 'surface as a solid or as a heat map; on 0DTE a map of gamma or of flow'],
  ['↑ ↓', 'rows of the screener; in the chart: strike by strike'],
  ['s', 'star the row in focus'],
  ['e', 'export the panel in focus'],
  ['f', 'full screen'],
  ['t', 'dark or light'],
  ['?', 'this list']
]

export default function KeyList() {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => box.current?.showModal(), [])
  return (
    <Dialog
      id="keys"
      title="Keys"
      box={box}
      onClose={() => {
        areKeysOpen.value = false
      }}
    >
      <dl>
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="buttons">
        <button type="submit" class="primary">
          Close
        </button>
        <button
          type="submit"
          class="primary plain"
          onClick={() => {
            areStepsOpen.value = true
          }}
        >
          First steps
        </button>
      </p>
    </Dialog>
  )
}
