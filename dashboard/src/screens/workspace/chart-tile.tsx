import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { ChartView } from '../../charts/chart-view.tsx'
import type { Cross, Shown } from '../../charts/time/engine.ts'
import { AnswerWords, DefaultWords } from '../../parts/answer-words.tsx'
import { useFocus } from '../../parts/focus-context.ts'
import { level, price } from '../../parts/format.ts'
import { stateOf } from '../../parts/panel.tsx'
import { chartAt } from '../../state/chart/chart-state.ts'
import type { Place } from '../../state/page/place.ts'
import { startAll } from '../../state/service/figures.ts'
import { pointIn, timeFor } from '../../state/workspace/crosshairs.ts'
import type { PanelSpec } from '../../state/workspace/layouts.ts'
import { turnPanel } from '../../state/workspace/workspace-state.ts'
import { chartDataAt } from '../overview/chart-data.ts'
import { ChartLegend } from '../overview/chart-legend.tsx'
import { ChartNote, MissingMap } from '../overview/chart-note.tsx'

interface Props {
  /** Number of the panel, from 0. */
  readonly at: number
  readonly spec: ReadonlySignal<PanelSpec>
  readonly place: ReadonlySignal<Place>
}

const isElsewhere = () => {}

/** Prices and levels of the panel's symbol over many days. */
export function ChartTile({ at, spec, place }: Props) {
  const { subject, day, exposures } = useFocus()
  const self = useRef({}).current
  const made = useMemo(() => {
    const chart = chartAt({ ...subject, place }, day, exposures)
    const range = signal<number>()
    const data = chartDataAt({ ...subject, place }, day, chart)
    const ranged = computed(() => data.value && { ...data.value, range: range.value ?? data.value.range })
    return { chart, range, data: ranged, shown: signal<Shown>({ from: undefined, to: undefined }) }
  }, [subject, place])
  const { chart, range, data, shown } = made
  const cross = useMemo(() => signal<Cross>(), [made])
  const height = useMemo(() => signal(0), [made])
  const linked = useMemo(() => timeFor(() => spec.value.link, self), [spec])
  useEffect(() => startAll([exposures.levels, exposures.gex, exposures.zeroDte, ...chart.chartFigures]), [chart])
  useEffect(
    () =>
      cross.subscribe((at) => {
        const bar = at?.bar
        pointIn(spec.peek().link, self, bar === undefined ? undefined : data.peek()?.bars.t[bar])
      }),
    [cross, spec]
  )
  useEffect(() => () => pointIn(spec.peek().link, self, undefined), [spec])
  /** The crosshair of this chart, or of a linked one, for the legend. */
  const named = useMemo(
    () =>
      computed(() => {
        const [time, bars] = [linked.value, data.value?.bars.t]
        if (cross.value !== undefined || time === undefined || bars === undefined) return cross.value
        const bar = bars.findLastIndex((start) => start <= time)
        return bar < 0 ? undefined : { bar, y: undefined, strikeNear: undefined }
      }),
    [cross, linked, data]
  )
  const words = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      height.value = entry!.contentRect.height + 8
    })
    watch.observe(words.current!)
    return () => watch.disconnect()
  }, [height])
  const { symbol, period, map: isMapOn } = place.value
  const shownBars = data.value?.bars.t.length ?? 0
  const last = shownBars - 1
  const levelWords = chart.chartMarks.value.map((mark) => `${mark.names.join(' and ')} ${level(mark.value)}`)
  const label =
    shownBars === 0
      ? `Chart of ${symbol}`
      : [
          `Price and levels of ${symbol}, bars of ${chart.step.value}`,
          `last ${price(data.value!.bars.c[last])}`,
          ...levelWords
        ].join(', ')
  return (
    <div class="tile-chart price" {...stateOf([chart.bars])} data-every={chart.step.value} data-period={period}>
      <ChartView
        data={data}
        shown={shown}
        tick={chart.newestTick}
        cross={cross}
        linked={linked}
        legendHeight={height}
        label={label}
        onShown={(seen) => {
          shown.value = seen
        }}
        onRange={(wanted) => {
          range.value = wanted
        }}
        sayBar={(of, bar, moment) => `${moment}, close ${price(of.bars.c[bar])}`}
        onPick={undefined}
        onPrice={() => false}
        onStrike={isElsewhere}
        onDrawn={isElsewhere}
      />
      <div class="chart-words" ref={words}>
        <ChartLegend chart={chart} cross={named} />
        <AnswerWords of={[exposures.levels]} />
        <DefaultWords of={isMapOn ? 'map and lines through time' : 'lines through time'} />
        <ChartNote chart={chart} place={place.value} change={(change) => turnPanel(at, change)} />
        <MissingMap chart={chart} isWanted={isMapOn} />
      </div>
    </div>
  )
}
