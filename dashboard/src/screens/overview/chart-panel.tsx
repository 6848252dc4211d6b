import { computed, signal, useComputed } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { lazy, Suspense } from 'preact/compat'
import { useEffect, useRef } from 'preact/hooks'
import { ChartView } from '../../charts/chart-view.tsx'
import type { ChartData } from '../../charts/time/data.ts'
import type { Cross, Shown } from '../../charts/time/engine.ts'
import type { Scene } from '../../charts/time/scene.ts'
import { AnswerWords, DefaultWords, defaultWords, fileWords } from '../../parts/answer-words.tsx'
import { Empty } from '../../parts/empty.tsx'
import { level, price } from '../../parts/format.ts'
import { MethodLink } from '../../parts/method-link.tsx'
import { stateOf } from '../../parts/panel.tsx'
import { PanelMenu } from '../../parts/panel-menu.tsx'
import { sentenceOf } from '../../parts/sentences.ts'
import { forgetPress, pressPrice } from '../../state/chart/alert-draft.ts'
import { barMoment } from '../../state/chart/bar-moment.ts'
import {
  bars,
  carried,
  carriedSymbol,
  carryTrouble,
  chart,
  chartMarks,
  newestTick,
  step
} from '../../state/chart/chart-state.ts'
import { momentOf, newYork } from '../../state/day/time.ts'
import { go, place, turn } from '../../state/page/address.ts'
import { isTableOpen } from '../../state/page/open-dialogs.ts'
import { NARROWEST, WIDEST } from '../../state/page/place.ts'
import { gex, summary, zeroDte } from '../../state/screens/overview-state.ts'
import { chartData } from './chart-data.ts'
import { ChartLegend } from './chart-legend.tsx'
import { ChartNote, MissingMap } from './chart-note.tsx'
import { ChartStrip } from './chart-strip.tsx'
import { ChartToolbar } from './chart-toolbar.tsx'
import { strikesTable, Tip } from './strike-tip.tsx'

const cross = signal<Cross>()
const legendHeight = signal(0)
const scene = signal<Scene>()

/** Loaded once the chart is drawn. */
const AlertLayer = lazy(() => import('./alert-layer.tsx'))
const BarsTable = lazy(() => import('./bars-table.tsx'))

/** The seen part as the address says it. */
const shown = computed(
  (): Shown => ({
    from: place.value.from === undefined ? undefined : momentOf(place.value.from),
    to: place.value.to === undefined ? undefined : momentOf(place.value.to)
  })
)

let writing: ReturnType<typeof setTimeout> | undefined
/** Seen part that is not in the address yet. */
let moved: Parameters<typeof turn>[0] = {}
/** Puts what is seen into the address once the reader rests: an address for each frame would be refused by browsers. */
function rememberShown({ from, to }: Shown): void {
  clearTimeout(writing)
  const text = (time: number | undefined) => (time === undefined ? undefined : newYork(time).slice(0, 16))
  moved = { from: text(from), to: text(to) }
  writing = setTimeout(() => write({}), 200)
}

function write(more: Parameters<typeof turn>[0]): void {
  clearTimeout(writing)
  turn({ ...moved, ...more })
  moved = {}
}

/** Drops a move that is not in the address yet: the page is left, and the address is that of another screen. */
function forgetMove(): void {
  clearTimeout(writing)
  moved = {}
}

function rememberRange(range: number | undefined): void {
  if (range === undefined) forgetPress()
  const rounded = range === undefined ? undefined : Math.round(range * 100) / 100
  write({ range: rounded === undefined ? undefined : Math.min(WIDEST, Math.max(NARROWEST, rounded)) })
}

/** The strike nearest to the price under the pointer. */
const pointedStrike = computed(() => {
  const at = cross.value?.strikeNear
  if (at === undefined) return undefined
  const away = (strike: number) => Math.abs(strike - at)
  return gex.answer.value?.strikes.reduce<number | undefined>(
    (best, { strike }) => (best === undefined || away(strike) < away(best) ? strike : best),
    undefined
  )
})

/** Moves the crosshair to the next strike. */
function stepStrike(way: 1 | -1): void {
  const strikes = (gex.answer.value?.strikes ?? []).map(({ strike }) => strike)
  const from = pointedStrike.value ?? strikes.findLast((each) => each <= (chartData.value?.bars.c.at(-1) ?? 0))
  const next = from === undefined ? undefined : strikes[strikes.indexOf(from) + way]
  if (next !== undefined) cross.value = { bar: cross.value?.bar, y: undefined, strikeNear: next }
}

/** Explains the change of the open card's figure since a bar. */
function explainSince(bar: number): void {
  const [data, asOf] = [chartData.value, summary.answer.value?.as_of]
  const start = data?.bars.t[bar]
  if (data === undefined || start === undefined || asOf === undefined) return
  const since = barMoment(start, data.step, Date.parse(asOf))
  if (since !== undefined) turn({ since })
}

const sayBar = (data: ChartData, bar: number, moment: string) =>
  [
    `${moment}, close ${price(data.bars.c[bar])}`,
    ...data.lines.flatMap(({ name, values }) => (Number.isNaN(values[bar]!) ? [] : [`${name} ${level(values[bar])}`]))
  ].join(', ')

/** Sentence about the chart for those who do not see it. */
const label = computed(() => {
  const data = chartData.value
  if (data === undefined || data.bars.t.length === 0) return `Chart of ${place.value.symbol}`
  const day = (at: number) => newYork(data.bars.t[at]!).slice(0, 10)
  const named = chartMarks.value.map(({ names, value }) => `${names.join(' and ')} ${level(value)}`)
  const last = data.bars.t.length - 1
  return [
    `Price and levels of ${data.stamp.symbol}, bars of ${data.every} from ${day(0)} to ${day(last)}`,
    `last ${price(data.bars.c[last])}`,
    ...named
  ].join(', ')
})

/** Prices over many days with levels, map, strikes and figures below. */
export function ChartPanel() {
  const { map: isMapOn, strikes: areStrikesOn, today: isToday } = place.value
  const part = isMapOn ? 'map and lines through time' : 'lines through time'
  const words = [fileWords([gex]), defaultWords(part)].filter((each) => each !== undefined)
  useEffect(() => forgetMove, [])
  return (
    <section class="panel stage chart" aria-label="Price and levels" {...stateOf([gex, bars])}>
      <ChartToolbar>
        <PanelMenu
          name="gamma-by-strike"
          title="Gamma by strike"
          table={strikesTable}
          embed="ladder"
          words={words.length === 0 ? undefined : words.join(', ')}
        >
          <button
            type="button"
            onClick={() => {
              isTableOpen.value = true
            }}
          >
            Seen bars (v)
          </button>
        </PanelMenu>
      </ChartToolbar>
      <h2 class="hidden">Price and levels</h2>
      <div class="price" data-every={step.value}>
        <ChartView
          data={chartData}
          shown={shown}
          tick={newestTick}
          cross={cross}
          legendHeight={legendHeight}
          label={label.value}
          onShown={rememberShown}
          onRange={rememberRange}
          sayBar={sayBar}
          onPick={place.value.card !== undefined && place.value.tab === 'why' ? explainSince : undefined}
          onPrice={pressPrice}
          onStrike={stepStrike}
          onDrawn={(drawn) => {
            scene.value = drawn
          }}
        />
        <ChartWords>
          <ChartLegend chart={chart} cross={cross} />
          <DefaultWords of={part} />
          <ChartNote chart={chart} place={place.value} change={go} />
          <MissingMap chart={chart} isWanted={isMapOn} />
          <MissingLevels />
        </ChartWords>
        <Alerts />
      </div>
      <ChartStrip />
      {areStrikesOn && (
        <div class="ladder">
          <h2>
            <MethodLink method="gamma-exposure">Gamma by strike</MethodLink>
          </h2>
          <AnswerWords of={[isToday ? zeroDte : gex]} />
          <MissingStrikes />
          <StrikeTip />
        </div>
      )}
    </section>
  )
}

/** Alert lines and what fired, over the picture. */
function Alerts() {
  const isDrawn = useComputed(() => scene.value !== undefined)
  if (!isDrawn.value) return null
  return (
    <Suspense fallback={null}>
      <AlertLayer scene={scene} />
      {isTableOpen.value && <BarsTable scene={scene} />}
    </Suspense>
  )
}

/** Words over the upper left of the picture; labels keep below them where the chart is narrow. */
function ChartWords({ children }: { readonly children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => {
      legendHeight.value = entry!.contentRect.height + 8
    })
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])
  return (
    <div class="chart-words" ref={box}>
      {children}
    </div>
  )
}

/** Why no levels of another symbol are drawn. */
function MissingLevels() {
  const symbol = carriedSymbol.value
  if (symbol === undefined || bars.answer.value === undefined) return null
  const trouble = carried.value === undefined ? carryTrouble.value : undefined
  if (trouble !== undefined)
    return (
      <Empty kind="note-in" code={trouble.code} method="chart-levels">
        No levels of {symbol}. {sentenceOf(trouble)}
      </Empty>
    )
  return carried.value?.length === 0 ? (
    <Empty kind="note-in" code="no_data">
      No levels of {symbol} are kept for the moments of this chart.
    </Empty>
  ) : null
}

/** Why there is no gamma by strike. */
function MissingStrikes() {
  const trouble = gex.answer.value === undefined ? gex.trouble.value : undefined
  if (trouble === undefined) return null
  return (
    <Empty kind="note-in" code={trouble.code} method="gamma-exposure">
      {sentenceOf(trouble)}
    </Empty>
  )
}

function StrikeTip() {
  const strike = pointedStrike.value
  if (strike === undefined) return null
  return (
    <div class="tip" role="status">
      <Tip strike={strike} />
    </div>
  )
}
