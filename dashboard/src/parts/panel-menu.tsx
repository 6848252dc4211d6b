import { useRef } from 'preact/hooks'
import { place } from '../state/address.ts'
import { moment } from '../state/day.ts'
import { freshness } from '../state/service.ts'
import { newYork } from '../state/time.ts'
import { csvOf, save } from './export.ts'

/** The figures of a panel as they are, with the unit of each column in its name. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

interface Props {
  readonly name: string
  readonly title: string
  readonly table: () => Table
}

/** What can be done with a panel: its figures as a file, its picture, its address. */
export function PanelMenu({ name, title, table }: Props) {
  const box = useRef<HTMLDetailsElement>(null)
  const about = () => {
    const shown = moment.value === undefined ? 'no moment' : `${newYork(moment.value)} New York`
    return `${place.value.symbol}, ${title}, ${shown}, source ${freshness.value.source ?? 'unknown'}`
  }
  const file = (ending: string) => `${place.value.symbol}-${name}.${ending}`
  const act = (what: () => void) => () => {
    what()
    if (box.current !== null) box.current.open = false
  }
  const picture = () => {
    const panel = box.current?.closest<HTMLElement>('.panel')
    const canvas = panel?.querySelector('canvas')
    if (panel === null || panel === undefined || canvas === null || canvas === undefined) return
    pictureOf(canvas, about(), getComputedStyle(panel)).toBlob((blob) => blob !== null && save(blob, file('png')))
  }
  return (
    <details class="menu" ref={box}>
      <summary aria-label={`Export ${title}`} title="Export (e)">
        ⋯
      </summary>
      <div>
        <button
          type="button"
          onClick={act(() => save(new Blob([csvOf(table(), about())], { type: 'text/csv' }), file('csv')))}
        >
          Figures, CSV
        </button>
        <button type="button" class="needs-canvas" onClick={act(picture)}>
          Picture, PNG
        </button>
        <button type="button" onClick={act(() => void navigator.clipboard?.writeText(location.href))}>
          Copy link
        </button>
      </div>
    </details>
  )
}

/** A canvas with a line above it that says what it shows, on the ground of its panel. */
function pictureOf(
  canvas: HTMLCanvasElement,
  about: string,
  { backgroundColor, color, fontFamily }: CSSStyleDeclaration
) {
  const head = 34 * devicePixelRatio
  const out = document.createElement('canvas')
  out.width = canvas.width
  out.height = canvas.height + head
  const pen = out.getContext('2d')!
  pen.fillStyle = backgroundColor
  pen.fillRect(0, 0, out.width, out.height)
  pen.drawImage(canvas, 0, head)
  pen.fillStyle = color
  pen.font = `${12 * devicePixelRatio}px ${fontFamily}`
  pen.textBaseline = 'middle'
  pen.fillText(about, 12 * devicePixelRatio, head / 2)
  return out
}
