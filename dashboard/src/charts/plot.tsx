import { effect, untracked } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { canDraw } from '../parts/drawings.ts'
import { isHidden } from '../state/page/reader.ts'
import { font, type Ink, ink } from './ink.ts'

export type Options = Omit<uPlot.Options, 'width' | 'height'>

interface PlotProps {
  /** A signal that is read here rebuilds the plot, so it reads colours and modes but no figures. */
  readonly options: (ink: Ink) => Options
  /** A signal that is read here redraws the plot, at most once per frame. */
  readonly data: () => uPlot.AlignedData
  /** Description for screen readers. */
  readonly label: string
}

/** A plot that fills its box. Without a figure it has no axes either: their numbers would be made up. */
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
      place.toggleAttribute('data-empty', data()[0].length === 0)
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

/** Settings that all axes share. */
export function axis(ink: Ink): uPlot.Axis {
  return {
    stroke: ink['ink-3'],
    font: font(11),
    gap: 6,
    grid: { stroke: ink.grid, width: 1 },
    ticks: { show: false }
  }
}

/** Turns legend and zoom off. Pages describe what the pointer does. */
export const still: Pick<Options, 'legend' | 'cursor'> = {
  legend: { show: false },
  cursor: { y: false, points: { show: false }, drag: { x: false, y: false } }
}
