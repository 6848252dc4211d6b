import type { Session } from '../../../state/chart/sessions.ts'
import type { Ink } from '../../ink.ts'
import { type Layer, layoutOf, type Sizes } from '../scene.ts'
import { crisp, line, segment, word } from '../strokes.ts'
import { priceLabel, roundValues, timeTicks } from '../ticks.ts'
import { isBehindTag } from './labels.ts'

/** Lines between the picture and its axes, which are there before any figure is. */
export function frame(pen: CanvasRenderingContext2D, { width, height }: Sizes, ink: Ink): void {
  const { axis, foot } = layoutOf({ width, height }, 0, false)
  line(pen, ink.line, 1, [], () => segment(pen, 0, crisp(foot), width, crisp(foot)))
  line(pen, ink.line, 1, [], () => segment(pen, crisp(axis), 0, crisp(axis), height))
}

/** Prices at the right and times at the foot. */
export const axes =
  (sessions: readonly Session[]): Layer =>
  (pen, scene) => {
    const { plot, axis, foot, ink, low, high, x, y } = scene
    frame(pen, scene, ink)
    const font = scene.font(11)
    for (const value of roundValues(low, high, plot.height)) {
      const at = y(value)
      if (at > 8 && at < plot.height - 6 && !isBehindTag(scene, value))
        word(pen, { text: priceLabel(value), x: axis + 8, y: at, colour: ink['ink-3'], font })
    }
    for (const { at, text, isStrong } of timeTicks(scene, sessions)) {
      const middle = x(at)
      if (middle < 14 || middle > plot.width - 10) continue
      const colour = isStrong ? ink.ink : ink['ink-3']
      word(pen, { text, x: middle, y: foot + 13, colour, font: scene.font(11, isStrong ? 600 : 400), align: 'center' })
    }
    return undefined
  }
