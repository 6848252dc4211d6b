import type { ReadonlySignal } from '@preact/signals'
import { level, price, usd } from '../parts/format.ts'
import { spot } from '../state/day/day.ts'
import { place, turn } from '../state/page/address.ts'
import { isNarrow } from '../state/page/reader.ts'
import { type Curves, chosen, moveTo, shown } from '../state/screens/hedging-state.ts'
import { levels } from '../state/screens/overview-state.ts'
import type { Ink } from './ink.ts'
import { dot, PILL, pill, ratio, rule, stroke } from './pen.ts'
import type { PlotCanvas, PlotData, PlotOptions } from './plot/plot-canvas.ts'
import { axis, Plot } from './plot.tsx'

interface ProfileProps {
  readonly of: ReadonlySignal<Curves>
  /** The value at the chosen price. */
  readonly at: () => number | undefined
  readonly label: string
  /** Whether spot, flips and walls are labelled. */
  readonly isMain?: boolean
}

/** Draws a vertical line at a price. Returns its x, or undefined if it lies outside the plot. */
function upright(plot: PlotCanvas, value: number, colour: string, dash: readonly number[], width = 1) {
  const { ctx: pen, bbox } = plot
  const x = plot.posOf(value, 'x')
  if (x < bbox.left || x > bbox.left + bbox.width) return undefined
  stroke(pen, colour, width, dash, () => {
    pen.moveTo(x, bbox.top)
    pen.lineTo(x, bbox.top + bbox.height)
  })
  return x
}

type Landmark = readonly [
  name: string,
  value: number | null | undefined,
  tone: keyof Ink,
  text: keyof Ink,
  dash: readonly number[]
]

/** Draws spot, flips and walls. Labels have rows of their own, so that none covers another. */
function landmarks(plot: PlotCanvas, ink: Ink, hasNames: boolean) {
  const [now, found] = [spot.peek(), levels.answer.peek()?.levels]
  const lines: readonly Landmark[] = [
    ...(shown.peek()?.crossings ?? []).map((at): Landmark => ['Flip', at, 'flip', 'flip', [6, 3]]),
    ['Call wall', found?.call_wall, 'call', 'call-ink', []],
    ['Put wall', found?.put_wall, 'put', 'put-ink', []],
    ['Spot', now, 'price', 'price', [1, 2]]
  ]
  let row = 0
  for (const [name, value, tone, text, dash] of lines) {
    if (value === null || value === undefined) continue
    if (name.endsWith('wall') && !hasNames) continue
    const x = upright(plot, value, ink[tone], dash)
    if (x === undefined || !hasNames) continue
    const isRight = now !== undefined && value < now
    pill(plot.ctx, {
      text: `${isNarrow.peek() ? name.replace(' wall', '') : name}  ${name === 'Spot' ? price(value) : level(value)}`,
      x: x + (isRight ? -5 : 5) * ratio(),
      y: plot.bbox.top + (PILL / 2 + 2 + row++ * (PILL + 2)) * ratio(),
      from: isRight ? 'right' : 'left',
      ground: ink.panel,
      colour: ink[text]
    })
  }
}

/** Draws the chosen price and its value. */
function choice(plot: PlotCanvas, ink: Ink, value: number | undefined, hasName: boolean) {
  const at = chosen.peek()
  if (at === undefined || value === undefined) return
  const { ctx: pen, bbox } = plot
  if (place.peek().move !== 0) upright(plot, at.price, ink['ink-2'], [3, 3])
  const [x, y] = [plot.posOf(at.price, 'x'), plot.posOf(value, 'y')]
  dot(pen, x, y, 5, ink.panel)
  dot(pen, x, y, 3.4, ink.price)
  if (!hasName) return
  const isRight = x > bbox.left + bbox.width * 0.25 // the name of spot is on the other side
  pill(pen, {
    text: usd(value),
    x: x + (isRight ? -9 : 9) * ratio(),
    y: y + (value < 0 ? -16 : 16) * ratio(),
    from: isRight ? 'right' : 'left',
    ground: ink.price,
    colour: ink.panel,
    isSolid: true
  })
}

/** Clicking and dragging on the plot chooses a price. */
function choosing(plot: PlotCanvas) {
  const choose = (event: PointerEvent) => {
    if (event.buttons !== 1) return
    const move = moveTo(plot.valueAt(event.clientX - plot.over.getBoundingClientRect().left, 'x'))
    if (move !== undefined && move !== place.peek().move) turn({ move })
  }
  plot.over.addEventListener('pointerdown', choose)
  plot.over.addEventListener('pointermove', choose)
}

/** Exposure over prices of the underlying: positive in the colour of calls, negative in that of puts. */
export function profileChart({ of, at, label, isMain = false }: ProfileProps) {
  const options = (ink: Ink): PlotOptions => {
    const isLinear = place.value.scale === 'linear'
    return {
      padding: [8, 12, 0, 4],
      scales: {
        x: { range: (_, low, high) => [low, high] },
        y: {
          // Near the close single strikes have extreme gamma. On a square-root scale the rest stays visible.
          toEven: (value) => (isLinear ? value : Math.sign(value) * Math.sqrt(Math.abs(value))),
          fromEven: (value) => (isLinear ? value : Math.sign(value) * value ** 2),
          range: (_, low, high) => [Math.min(low ?? 0, 0) * 1.12, (Math.max(high ?? 0, 0) || 1) * (isMain ? 1.3 : 1.12)]
        }
      },
      axes: [
        { ...axis(ink), size: 26, space: 60, values: (_, splits) => splits.map(level) },
        {
          ...axis(ink),
          size: 60,
          splits: (plot) => splitsOf(plot, isLinear),
          values: (_, splits) => splits.map((each) => (each === 0 ? '0' : usd(each)))
        }
      ],
      series: [
        { fill: ink['call-bar'], width: 0 },
        { fill: ink['put-bar'], width: 0 },
        { stroke: ink['ink-3'], width: 1.25, dash: [4, 3] },
        { stroke: ink.price, width: 1.75 }
      ],
      ready: choosing,
      under: (plot) => {
        const { bbox } = plot
        rule(plot.ctx, [bbox.left, bbox.left + bbox.width], plot.posOf(0, 'y'), ink['line-strong'], [])
      },
      draw: (plot) => {
        landmarks(plot, ink, isMain)
        choice(plot, ink, at(), isMain)
      }
    }
  }
  const data = (): PlotData => {
    // Reads the signals, so that a change redraws the plot.
    void [spot.value, levels.answer.value, chosen.value]
    const { spots, shown: values, before } = of.value
    return [
      [...spots],
      values.map((each) => Math.max(each, 0)),
      values.map((each) => Math.min(each, 0)),
      before === undefined ? spots.map(() => null) : before.map((each) => each),
      [...values]
    ]
  }
  return () => <Plot options={options} data={data} label={label} />
}

/** Round axis values on both sides of 0, spread evenly on the scale. */
function splitsOf(plot: PlotCanvas, isLinear: boolean): number[] {
  const { min, max } = plot.bounds('y')
  const shares = plot.height < 240 ? (isLinear ? [0.8] : [0.7]) : isLinear ? [0.4, 0.8] : [0.06, 0.3, 0.8]
  const round = (edge: number) =>
    shares.map((share) => Number((edge * share).toPrecision(1))).filter((each) => Math.abs(each) > (max - min) * 0.01)
  return [...new Set([...round(min).reverse(), 0, ...round(max)])]
}
