import { effect, untracked } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { canDraw } from '../parts/drawings.ts'
import { isHidden } from '../state/page/reader.ts'
import { font, type Ink, ink } from './ink.ts'
import { type Axis, PlotCanvas, type PlotData, type PlotOptions } from './plot/plot-canvas.ts'

interface PlotProps {
  /** A signal that is read here rebuilds the plot, so it reads colours and modes but no figures. */
  readonly options: (ink: Ink) => PlotOptions
  /** A signal that is read here redraws the plot, at most once per frame. */
  readonly data: () => PlotData
  /** Description for screen readers. */
  readonly label: string
}

/** A plot that fills its box. Without a figure it has no axes either: their numbers would be made up. */
export function Plot({ options, data, label }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = box.current!
    let plot: PlotCanvas | undefined
    let frame = 0
    const draw = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        if (!isHidden.peek()) plot?.setData(untracked(data))
      })
    }
    const stopMaking = effect(() => {
      const chosen = options(ink.value)
      plot?.remove()
      const made = new PlotCanvas(chosen, place)
      plot = made
      untracked(() => made.setData(data()))
      canDraw(made.canvas, () => made.draw())
    })
    const stopDrawing = effect(() => {
      place.toggleAttribute('data-empty', data()[0].length === 0)
      if (!isHidden.value) draw()
    })
    const watch = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect
      if (width > 0 && height > 0) untracked(() => plot?.setSize(width, height))
    })
    watch.observe(place)
    return () => {
      stopMaking()
      stopDrawing()
      watch.disconnect()
      cancelAnimationFrame(frame)
      plot?.remove()
    }
  }, [options, data])
  return <div class="plot" ref={box} role="img" aria-label={label} />
}

/** Settings that all axes share. */
export function axis(ink: Ink): Axis {
  return { stroke: ink['ink-3'], font: font(11), gap: 6, grid: ink.grid }
}
