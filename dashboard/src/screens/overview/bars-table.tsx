import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Scene } from '../../charts/time/scene.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { csvOf, save } from '../../parts/export.ts'
import { useFocus } from '../../parts/focus-context.ts'
import { originOf } from '../../parts/panel-menu.tsx'
import { isTableOpen } from '../../state/page/open-dialogs.ts'
import { seenBars } from './seen-bars.ts'
import '../../style/account.css'
import '../../style/palette.css'

/** Most rows of the page; the file has all. */
const MOST = 400

/** The seen bars of the chart as a table, with the rows of its file. */
export default function BarsTable({ scene }: { readonly scene: ReadonlySignal<Scene | undefined> }) {
  const box = useRef<HTMLDialogElement>(null)
  const focus = useFocus()
  useEffect(() => box.current?.showModal(), [])
  const drawn = scene.value
  if (drawn === undefined) return null
  const seen = seenBars(drawn)
  const { symbol } = drawn.data.stamp
  const title = `${symbol}, bars of ${drawn.data.every}`
  const hidden = seen.rows.length - MOST
  return (
    <Dialog
      id="bars-table"
      title={title}
      box={box}
      onClose={() => {
        isTableOpen.value = false
      }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reached by keys */}
      <section class="scroll" aria-label={title} tabIndex={0}>
        <table class="list">
          <thead>
            <tr>
              {seen.columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {seen.written.slice(-MOST).map(([moment, ...figures]) => (
              <tr key={moment}>
                <th scope="row">{moment}</th>
                {figures.map((text, i) => (
                  <td key={seen.columns[i + 1]}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {hidden > 0 && (
        <p class="hint">
          The newest {MOST} of {seen.rows.length} bars; the file has all.
        </p>
      )}
      <p class="buttons">
        <button type="submit" class="primary">
          Close
        </button>
        <button
          type="button"
          class="primary plain"
          onClick={() => {
            const text = csvOf(seen, `Bars of ${drawn.data.every}, ${originOf(focus)}`)
            save(new Blob([text], { type: 'text/csv' }), `${symbol}-bars.csv`)
          }}
        >
          Figures, CSV
        </button>
      </p>
    </Dialog>
  )
}
