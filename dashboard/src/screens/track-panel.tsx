import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren, ComponentType } from 'preact'
import { Panel, type Shown } from '../parts/panel.tsx'
import type { Table } from '../parts/panel-menu.tsx'
import { newYork } from '../state/time.ts'
import type { Track } from '../state/track.ts'

/** One chart of a panel. */
interface Charted {
  readonly of: ReadonlySignal<Track>
  /** The columns of its lines in a table, comma separated. */
  readonly columns: string
  readonly chart: ComponentType
}

interface TrackPanelProps {
  readonly name: string
  readonly title: string
  readonly legend: ComponentChildren
  readonly of: Shown
  /** Over the same times, from the top. */
  readonly tracks: readonly Charted[]
  /** What is said of an answer without a figure of the session. */
  readonly none: string
}

/** Figures through the session, one chart under the other. */
export function TrackPanel({ name, title, legend, of, tracks, none }: TrackPanelProps) {
  const isBare = of.answer.value !== undefined && !tracks.some(({ of: track }) => hasFigure(track.value))
  return (
    <Panel
      name={name}
      title={title}
      legend={legend}
      of={[of]}
      empty={isBare ? none : undefined}
      table={() => tableOf(tracks)}
    >
      <div class="tracks">
        {tracks.map(({ columns, chart: Chart }) => (
          <div key={columns}>
            <Chart />
          </div>
        ))}
      </div>
    </Panel>
  )
}

function hasFigure({ lines }: Track): boolean {
  return lines.some((line) => line.some((value) => value !== null))
}

function tableOf(tracks: readonly Charted[]): Table {
  const lines = tracks.flatMap(({ of }) => of.value.lines)
  return {
    columns: ['New York', ...tracks.flatMap(({ columns }) => columns.split(', '))],
    rows: (tracks[0]?.of.value.times ?? []).map((time, i) => [newYork(time), ...lines.map((line) => line[i] ?? null)])
  }
}
