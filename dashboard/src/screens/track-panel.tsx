import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren, ComponentType } from 'preact'
import { Panel, type Shown } from '../parts/panel.tsx'
import type { Table } from '../parts/panel-menu.tsx'
import { newYork } from '../state/day/time.ts'
import type { Track } from '../state/day/track.ts'

/** One chart of a panel. */
interface Charted {
  readonly of: ReadonlySignal<Track>
  /** Table columns of its lines, separated by commas. */
  readonly columns: string
  readonly chart: ComponentType
}

interface TrackPanelProps {
  readonly name: string
  readonly title: string
  readonly method: string
  readonly legend: ComponentChildren
  readonly of: Shown
  readonly actions?: ComponentChildren
  /** Charts over the same times, from the top. */
  readonly tracks: readonly Charted[]
  /** Shown if the answer has no value of the session. */
  readonly none: string
}

export const TOO_LITTLE = 'Only one moment of this session is known: too few for a line.'

/** Charts through the session, one below the other. */
export function TrackPanel({ name, title, method, legend, of, actions, tracks, none }: TrackPanelProps) {
  const most = Math.max(...tracks.map(({ of: track }) => figuresOf(track.value)))
  const lacking = most === 0 ? none : most === 1 ? TOO_LITTLE : undefined
  return (
    <Panel
      name={name}
      title={title}
      method={method}
      legend={legend}
      of={[of]}
      actions={actions}
      empty={of.answer.value === undefined ? undefined : lacking}
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

/** Number of values of its longest line. */
function figuresOf({ lines }: Track): number {
  return Math.max(0, ...lines.map((line) => line.filter((value) => value !== null).length))
}

function tableOf(tracks: readonly Charted[]): Table {
  const lines = tracks.flatMap(({ of }) => of.value.lines)
  return {
    columns: ['New York', ...tracks.flatMap(({ columns }) => columns.split(', '))],
    rows: (tracks[0]?.of.value.times ?? []).map((time, i) => [newYork(time), ...lines.map((line) => line[i] ?? null)])
  }
}
