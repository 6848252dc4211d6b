import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { newYork } from '../state/day/time.ts'
import type { EmbeddablePanel } from '../state/page/embeddable-panels.ts'
import { embeddedPanel } from '../state/page/open-dialogs.ts'
import { freshness, isSynthetic } from '../state/service/freshness.ts'
import { useFocus } from './focus-context.ts'

/** The figures of a panel. Column names contain units. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

interface Props {
  readonly name: string
  readonly title: string
  readonly table: () => Table
  /** Name of the panel for other pages; undefined: it cannot be embedded. */
  readonly embed?: EmbeddablePanel | undefined
  /** Dealer model and expirations of the figures, unless they are the convention and all. */
  readonly words?: string | undefined
  /** Further entries. */
  readonly children?: ComponentChildren
}

async function saveTable(table: Table, about: string, name: string): Promise<void> {
  const { csvOf, save } = await import('./export.ts')
  save(new Blob([csvOf(table, about)], { type: 'text/csv' }), name)
}

/** Symbol, moment and source of exported figures, and how they were made unless that is usual. */
export function originOf({ subject, day: { figuresAt } }: ReturnType<typeof useFocus>, words?: string): string {
  const shown = figuresAt.value === undefined ? 'no moment' : `${newYork(figuresAt.value)} New York`
  const source = `source ${freshness.value.source ?? 'unknown'}`
  return [subject.place.value.symbol, shown, source, words].filter((each) => each !== undefined).join(', ')
}

/** Menu of a panel: export figures or picture, copy its link. */
export function PanelMenu({ name, title, table, embed, words, children }: Props) {
  const box = useRef<HTMLDetailsElement>(null)
  const focus = useFocus()
  const { subject } = focus
  const { place } = subject
  const origin = () => originOf(focus, words)
  const file = (ending: string) => `${place.value.symbol}-${name}.${ending}`
  const act = (what: () => void) => () => {
    what()
    if (box.current !== null) box.current.open = false
  }
  const picture = async (ending: 'svg' | 'png') => {
    const panel = box.current?.closest<HTMLElement>('.panel')
    if (panel === null || panel === undefined) return
    const { pictureOf, rasterised } = await import('./picture.ts')
    const warning = isSynthetic() ? 'Synthetic' : undefined
    const svg = pictureOf(panel, { title, origin: origin(), warning })
    const content = ending === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await rasterised(svg)
    const { save } = await import('./export.ts')
    if (content !== null) save(content, file(ending))
  }
  return (
    <details class="menu" ref={box}>
      <summary aria-label={`Export ${title}`} title="Export (e)">
        ⋯
      </summary>
      <div>
        {children}
        <button type="button" onClick={act(() => void saveTable(table(), `${title}, ${origin()}`, file('csv')))}>
          Figures, CSV
        </button>
        <button type="button" class="needs-canvas" onClick={act(() => void picture('png'))}>
          Picture, PNG
        </button>
        <button type="button" class="needs-canvas" onClick={act(() => void picture('svg'))}>
          Picture, SVG
        </button>
        <button type="button" onClick={act(() => void navigator.clipboard?.writeText(location.href))}>
          Copy link
        </button>
        {embed !== undefined && subject.isPage && (
          <button
            type="button"
            class="on-own-page"
            onClick={act(() => {
              embeddedPanel.value = embed
            })}
          >
            Embed
          </button>
        )}
      </div>
    </details>
  )
}
