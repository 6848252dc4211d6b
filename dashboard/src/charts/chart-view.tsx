import { effect, type ReadonlySignal, type Signal, untracked } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { ink } from './ink.ts'
import type { ChartData } from './time/data.ts'
import { type Cross, type Shown, TimeChart } from './time/engine.ts'
import { handsOn } from './time/hands.ts'
import { momentText } from './time/layers/crosshair.ts'
import { priceAt, type Scene } from './time/scene.ts'

interface Props {
  /** A new value is drawn in the next frame; undefined: nothing is known. */
  readonly data: ReadonlySignal<ChartData | undefined>
  readonly shown: ReadonlySignal<Shown>
  /** A newer price than the data has. */
  readonly tick: ReadonlySignal<{ readonly price: number; readonly time: number } | undefined>
  readonly cross: Signal<Cross | undefined>
  /** Pixels at the top that a legend covers. */
  readonly legendHeight: ReadonlySignal<number>
  /** Description for screen readers. */
  readonly label: string
  readonly onShown: (shown: Shown) => void
  readonly onRange: (range: number | undefined) => void
  /** Words that a screen reader says of a bar. */
  readonly sayBar: (data: ChartData, bar: number, moment: string) => string
  /** A bar is pressed, or Enter is pressed at the crosshair. Undefined: nothing is picked now. */
  readonly onPick: ((bar: number) => void) | undefined
  /** A price is pressed, on its axis or in the chart. Returns whether that was asked for; if not, the bar is picked. */
  readonly onPrice: (price: number, isOnAxis: boolean) => boolean
  /** Up and down: the next strike above or below. */
  readonly onStrike: (way: 1 | -1) => void
  readonly onDrawn: (scene: Scene | undefined) => void
  /** Time of the crosshair of a linked chart, milliseconds; undefined: none is shown there. */
  readonly linked?: ReadonlySignal<number | undefined>
}

/** Least pause between two sentences of a screen reader, milliseconds. */
const PAUSE = 500

/** Prices over time on canvases that fill the box. Arrow keys move the crosshair. */
export function ChartView(props: Props) {
  const box = useRef<HTMLDivElement>(null)
  const voice = useRef<HTMLParagraphElement>(null)
  const chart = useRef<TimeChart | undefined>(undefined)
  const given = useRef(props)
  given.current = props
  useEffect(() => {
    const place = box.current!
    const made = new TimeChart(place, {
      onPoint: (pointed) => {
        given.current.cross.value = pointed
      },
      onShown: (shown) => given.current.onShown(shown),
      onRange: (range) => given.current.onRange(range),
      onDrawn: (scene) => given.current.onDrawn(scene)
    })
    chart.current = made
    // Tests and the console read what was drawn.
    Object.assign(place, { layers: () => made.layers() })
    const stops = [
      effect(() => {
        made.set(given.current.data.value, given.current.shown.value, ink.value)
        const newest = untracked(() => given.current.tick.value)
        if (newest !== undefined) made.tick(newest.price, newest.time)
      }),
      effect(() => {
        const newest = given.current.tick.value
        if (newest !== undefined) made.tick(newest.price, newest.time)
      }),
      effect(() => {
        if (given.current.linked !== undefined) made.follow(given.current.linked.value)
      }),
      effect(() => {
        made.legendHeight = given.current.legendHeight.value
      }),
      handsOn(place, made, (tapped) => {
        const { onPick, onPrice, cross } = given.current
        const { scene } = made
        if (scene === undefined) return
        const isOnAxis = tapped.left > scene.axis
        if (tapped.top < scene.plot.height && onPrice(priceAt(scene, tapped.top), isOnAxis)) return
        if (onPick === undefined || isOnAxis) return
        made.point(tapped)
        const bar = cross.peek()?.bar
        if (bar !== undefined) onPick(bar)
      })
    ]
    return () => {
      for (const stop of stops) stop()
      made.destroy()
    }
  }, [])

  const say = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const sayLater = (bar: number) => {
    if (say.current !== undefined) return
    say.current = setTimeout(() => {
      say.current = undefined
      const [scene, at] = [chart.current?.scene, given.current.cross.peek()?.bar ?? bar]
      if (scene !== undefined && voice.current !== null)
        voice.current.textContent = given.current.sayBar(
          scene.data,
          at,
          momentText(scene.data.bars.t[at]!, scene.data.step)
        )
    }, PAUSE)
  }
  const press = (event: KeyboardEvent) => {
    const made = chart.current
    if (made === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const across = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const along = { ArrowUp: 1, ArrowDown: -1 }[event.key] as 1 | -1 | undefined
    if (across !== undefined) {
      const bar = made.step(across * (event.shiftKey ? 10 : 1))
      if (bar !== undefined) sayLater(bar)
    } else if (along !== undefined) given.current.onStrike(along)
    else if (event.key === 'Escape') made.point(undefined)
    else if (event.key === 'Enter' && props.onPick !== undefined) {
      const bar = props.cross.peek()?.bar
      if (bar !== undefined) props.onPick(bar)
    } else return
    event.preventDefault()
  }
  return (
    <>
      <div
        class="time-chart"
        ref={box}
        role="application"
        aria-roledescription="chart"
        aria-label={props.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its crosshair
        tabIndex={0}
        onKeyDown={press}
      />
      <p class="hidden" aria-live="polite" ref={voice} />
    </>
  )
}
