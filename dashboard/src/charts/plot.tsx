import { effect, untracked } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { canDraw } from '../parts/drawings.ts'
import { isHidden } from '../state/page/reader.ts'
import { font, type Ink, ink } from './ink.ts'

export type Options = Omit<uPlot.Options, 'width' | 'height'>

interface PlotProps {
  /** Makes the plot anew when a signal that it reads changes: colours and modes, never figures. */
  readonly options: (ink: Ink) => Options
  /** Draws when a signal that it reads changes, at most once a frame. */
  readonly data: () => uPlot.AlignedData
  /** What is drawn, for who cannot see it. */
  readonly label: string
}

/** A plot that fills its box. */
export function Plot({ options, data, label }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = box.current!
    let plot: uPlot | undefined
    let frame = 0
    const draw = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        if (!isHidden.peek()) plot?.setData(untracked(data))
      })
    }
    const stopMaking = effect(() => {
      const chosen = options(ink.value)
      plot?.destroy()
      const { width, height } = place.getBoundingClientRect()
      plot = new uPlot({ ...chosen, width: Math.max(40, width), height: Math.max(40, height) }, untracked(data), place)
      const made = plot
      canDraw(made.ctx.canvas, () => made.batch(() => made.setData(made.data, false)))
    })
    const stopDrawing = effect(() => {
      data()
      if (!isHidden.value) draw()
    })
    const watch = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect
      if (width > 0 && height > 0) plot?.setSize({ width, height })
    })
    watch.observe(place)
    return () => {
      stopMaking()
      stopDrawing()
      watch.disconnect()
      cancelAnimationFrame(frame)
      plot?.destroy()
    }
  }, [options, data])
  return <div class="plot" ref={box} role="img" aria-label={label} />
}

/** What all our axes have in common. */
export function axis(ink: Ink): uPlot.Axis {
  return {
    stroke: ink['ink-3'],
    font: font(11),
    gap: 6,
    grid: { stroke: ink.grid, width: 1 },
    ticks: { show: false }
  }
}

/** No legend and no zooming: what a pointer does is said in the page. */
export const still: Pick<Options, 'legend' | 'cursor'> = {
  legend: { show: false },
  cursor: { y: false, points: { show: false }, drag: { x: false, y: false } }
}
