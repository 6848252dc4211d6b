import type { Session } from '../../../state/chart/sessions.ts'
import type { Layer } from '../scene.ts'
import { crisp, line, segment } from '../strokes.ts'
import { roundValues, timeTicks } from '../ticks.ts'

/** Sessions closer than this have no lines between them, CSS pixels. */
const CLOSE = 26

/** Lines at round prices and times, and dotted ones where sessions begin. */
export const grid =
  (sessions: readonly Session[]): Layer =>
  (pen, scene) => {
    const { plot, panes, ink, low, high, x, y, span } = scene
    const bottom = panes.reduce((end, { top, height }) => Math.max(end, top + height), plot.height)
    line(pen, ink.grid, 1, [], () => {
      for (const price of roundValues(low, high, plot.height))
        segment(pen, 0, crisp(y(price)), plot.width, crisp(y(price)))
      for (const { at } of timeTicks(scene, sessions)) segment(pen, crisp(x(at)), 0, crisp(x(at)), bottom)
    })
    const seen = sessions.filter(({ at }) => at > span.from && at < span.to)
    if (plot.width / Math.max(1, seen.length) < CLOSE) return undefined
    line(pen, ink['line-strong'], 1, [2, 4], () => {
      for (const { at } of seen) segment(pen, crisp(x(at)), 0, crisp(x(at)), plot.height)
    })
    return undefined
  }
