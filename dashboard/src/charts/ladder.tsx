import { usd } from '../parts/format.ts'
import { spot } from '../state/day/day.ts'
import type { Stage } from '../state/day/price-stage.ts'
import { place } from '../state/page/address.ts'
import type { Ink } from './ink.ts'
import { ratio, rule, stroke } from './pen.ts'
import type { PlotCanvas, PlotData, PlotOptions } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'
import { PADDING_TOP, TIME_AXIS } from './price-chart.tsx'

const pale = [0.76, 15] as const
const solid = [0.42, 8] as const

/** Strikes are the plot's x, drawn upwards; exposures are its y, drawn to the right. */
function rules(plot: PlotCanvas, ink: Ink, { marks }: Stage) {
  const { ctx: pen, bbox } = plot
  const across = [bbox.left, bbox.left + bbox.width] as const
  const y = (value: number) => plot.posOf(value, 'x')
  const isInside = (value: number) => y(value) > bbox.top && y(value) < bbox.top + bbox.height
  for (const { value, tone, dash } of marks.peek())
    if (isInside(value)) rule(pen, across, y(value), ink[tone], dash, dash.length === 0 ? 1.25 : 1)
  const now = spot.peek()
  if (now !== undefined && isInside(now)) rule(pen, across, y(now), ink.price, [1, 2])
  const zero = plot.posOf(0, 'y')
  stroke(pen, ink['line-strong'], 1, [], () => {
    pen.moveTo(zero, bbox.top)
    pen.lineTo(zero, bbox.top + bbox.height)
  })
}

/** Net figures below this share of the scale get no tick. */
const WORTH_A_TICK = 0.02

/** Draws the net of each strike as a tick. */
function netTicks(plot: PlotCanvas, ink: Ink) {
  const [strikes, calls, puts, callsToday, putsToday] = plot.data
  const most = plot.bounds('y').max
  stroke(plot.ctx, ink.ink, 2, [], () => {
    strikes.forEach((strike, i) => {
      const [outer, put] = [calls![i] ?? callsToday![i] ?? 0, puts![i] ?? putsToday![i] ?? 0]
      const net = isStacked(outer, put) ? outer : outer + put
      const y = plot.posOf(strike, 'x')
      if (Math.abs(net) < WORTH_A_TICK * most || y < plot.bbox.top || y > plot.bbox.top + plot.bbox.height) return
      const x = plot.posOf(net, 'y')
      plot.ctx.moveTo(x, y - 4 * ratio())
      plot.ctx.lineTo(x, y + 4 * ratio())
    })
  })
}

/** Some models put calls and puts of a strike on the same side. They are then stacked, the put inside the call. */
const isStacked = (call: number, put: number) => call * put > 0

function outerBar(call: number | null, put: number | null): number | null {
  return call !== null && put !== null && isStacked(call, put) ? call + put : call
}

/** The scale of a chart without bars, USD. */
const NOTHING = 1.1

/** Least distance of axis labels as a share of half the axis. */
const APART = 0.2
/** Space beside the frame, CSS pixels, for labels near the edge. */
const MARGIN = 12
/** Half the width of a label such as $600 M, CSS pixels. */
const HALF_FIGURE = 20

/** Round axis values on both sides of 0, spread evenly on the scale. */
function splits(plot: PlotCanvas): number[] {
  const most = plot.bounds('y').max
  const linear = place.peek().scale === 'linear'
  const shares = plot.width < 160 ? [0.5] : linear ? [0.4, 0.8] : [0.08, 0.45, 0.9]
  if (most <= NOTHING) return [0]
  const rounded = shares.map((share) => Number((most * share).toPrecision(1)))
  // Rounding may move a value close to its neighbour: 0.45 and 0.9 of 1.4 B become 600 M and 1 B.
  const along = (each: number) => (linear ? each / most : Math.sqrt(each / most))
  const half = plot.bbox.width / ratio() / 2
  const hasRoom = (each: number) => (1 - along(each)) * half + MARGIN >= HALF_FIGURE
  const right = rounded.filter((each, i) => i === 0 || (along(each) - along(rounded[i - 1]!) >= APART && hasRoom(each)))
  return [...right.map((each) => -each).reverse(), 0, ...right]
}

const isLinear = () => place.value.scale === 'linear'

const optionsOf =
  (stage: Stage) =>
  (ink: Ink): PlotOptions => {
    const { prices, pointed } = stage
    const linear = isLinear()
    return {
      padding: [PADDING_TOP, MARGIN, 0, MARGIN],
      scales: {
        x: { isUpright: true, range: () => prices.peek() ?? [0, 1] },
        y: {
          isUpright: false,
          // Exposure by strike has heavy tails. On a square-root scale one wall does not flatten all other bars.
          toEven: (value) => (linear ? value : Math.sign(value) * Math.sqrt(Math.abs(value))),
          fromEven: (value) => (linear ? value : Math.sign(value) * value ** 2),
          range: (_, low, high) => {
            const most = Math.max(Math.abs(low ?? 0), Math.abs(high ?? 0), 1) * 1.06
            return [-most, most]
          }
        }
      },
      axes: [
        { ...axis(ink), show: false },
        {
          ...axis(ink),
          side: 'bottom',
          size: TIME_AXIS,
          space: 60,
          splits,
          values: (_, splits) => splits.map((each) => (each === 0 ? '0' : usd(Math.abs(each), 'plain', 1)))
        }
      ],
      series: [
        { fill: ink['call-bar'], bars: pale },
        { fill: ink['put-bar'], bars: pale },
        { fill: ink.call, bars: solid },
        { fill: ink.put, bars: solid }
      ],
      draw: (plot) => {
        rules(plot, ink, stage)
        netTicks(plot, ink)
      },
      onPointer: (plot) => {
        pointed.value = plot.pointer && plot.valueAt(plot.pointer.top, 'x')
      }
    }
  }

const dataOf =
  ({ marks, prices, rows }: Stage) =>
  (): PlotData => {
    void [marks.value, spot.value]
    const [low, high] = prices.value ?? [0, 0]
    const shown = rows.value.filter(({ strike }) => strike > low && strike < high)
    return [
      shown.map(({ strike }) => strike),
      shown.map(({ call, put }) => outerBar(call, put)),
      shown.map(({ put }) => put),
      shown.map(({ callToday, putToday }) => outerBar(callToday, putToday)),
      shown.map(({ putToday }) => putToday)
    ]
  }

/**
 * Gamma by strike, positive to the right and negative to the left. Today's expiration is drawn solid inside the pale
 * total.
 */
export function ladder(stage: Stage) {
  const [options, data] = [optionsOf(stage), dataOf(stage)]
  return () => (
    <Plot
      options={options}
      data={data}
      label={
        place.value.dealers === 'convention'
          ? 'Gamma exposure by strike: calls to the right, puts to the left, a tick for the net'
          : 'Gamma exposure by strike, of calls and of puts: long to the right, short to the left, a tick for the net'
      }
    />
  )
}
