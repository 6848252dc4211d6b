import type { ReadonlySignal } from '@preact/signals'
import type { Table } from '../parts/panel-menu.tsx'
import { newYork } from '../state/time.ts'
import type { Track } from '../state/track.ts'

/** Tracks over the same times as a table: each named by the columns of its lines, comma separated. */
export function trackTable(...tracks: readonly (readonly [columns: string, track: ReadonlySignal<Track>])[]): Table {
  const [first] = tracks
  const lines = tracks.flatMap(([, track]) => track.value.lines)
  return {
    columns: ['New York', ...tracks.flatMap(([columns]) => columns.split(', '))],
    rows: (first?.[1].value.times ?? []).map((time, i) => [newYork(time), ...lines.map((line) => line[i] ?? null)])
  }
}
