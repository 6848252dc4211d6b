import type { Bars } from '../../state/chart/history.ts'
import type { Mark, Tone } from '../../state/day/level-marks.ts'
import type { StageRow, StrikeMap } from '../../state/day/price-stage.ts'
import type { Candles } from '../../state/page/reader.ts'
import type { Stamp } from '../../state/service/stamp.ts'

/** A level through time: one price for each bar, NaN where there was none. */
export interface LevelLine {
  readonly name: string
  readonly tone: Tone
  readonly dash: readonly number[]
  /** Whether it jumps from strike to strike. */
  readonly isStep: boolean
  readonly values: Float64Array
}

/** A figure below the prices. */
export interface Pane {
  readonly id: string
  readonly title: string
  /** Bars from zero suit figures with a sign. */
  readonly shape: 'bars' | 'line'
  readonly values: Float64Array
  readonly write: (value: number) => string
}

/** Another symbol: percent since the left edge are drawn. */
export interface Compared {
  readonly symbol: string
  readonly values: Float64Array
}

/** The move that options price from the last bar on: dollars of one standard deviation after `bars` bars. */
export interface Cone {
  readonly move: number
  readonly bars: number
}

/** All that a chart draws, of one symbol and not after one moment. */
export interface ChartData {
  readonly stamp: Stamp
  readonly every: string
  /** Milliseconds of a bar. */
  readonly step: number
  readonly bars: Bars
  readonly candles: Candles
  readonly lines: readonly LevelLine[]
  /** The levels of the moment. */
  readonly marks: readonly Mark[]
  readonly spot: number | undefined
  readonly panes: readonly Pane[]
  readonly compared: readonly Compared[]
  readonly map: StrikeMap | undefined
  /** Undefined: no column of strikes. */
  readonly strikes: readonly StageRow[] | undefined
  readonly isRootScale: boolean
  readonly cone: Cone | undefined
  /** Half the price window, percent; undefined: by itself. */
  readonly range: number | undefined
}
