import type { Ink } from './ink.ts'
import { clipped } from './pen.ts'
import type { PlotCanvas } from './plot/plot-canvas.ts'

/**
 * Fills the area between the first two series of a plot: in the colour of calls where the first is higher, of puts
 * where it is lower. Gaps are not filled.
 */
export function fillDifference(plot: PlotCanvas, ink: Ink): void {
  const [xs, upper, lower] = plot.data
  const [above, below] = [new Path2D(), new Path2D()]
  const x = (value: number) => plot.posOf(value, 'x')
  const y = (value: number) => plot.posOf(value, 'y')
  type Corner = readonly [x: number, upper: number, lower: number]
  const quad = ([x0, a0, b0]: Corner, [x1, a1, b1]: Corner) => {
    const path = a0 + a1 >= b0 + b1 ? above : below
    path.moveTo(x(x0), y(a0))
    path.lineTo(x(x1), y(a1))
    path.lineTo(x(x1), y(b1))
    path.lineTo(x(x0), y(b0))
    path.closePath()
  }
  const cornerAt = (i: number): Corner | undefined => {
    const [a, b] = [upper?.[i], lower?.[i]]
    return typeof a === 'number' && typeof b === 'number' ? [xs[i]!, a, b] : undefined
  }
  for (let i = 1; i < xs.length; i++) {
    const [from, to] = [cornerAt(i - 1), cornerAt(i)]
    if (from === undefined || to === undefined) continue
    const [before, after] = [from[1] - from[2], to[1] - to[2]]
    if (before * after >= 0) {
      quad(from, to)
      continue
    }
    const share = before / (before - after)
    const middle = from[1] + share * (to[1] - from[1])
    const crossing: Corner = [from[0] + share * (to[0] - from[0]), middle, middle]
    quad(from, crossing)
    quad(crossing, to)
  }
  clipped(plot, () => {
    plot.ctx.fillStyle = ink['call-bar']
    plot.ctx.fill(above)
    plot.ctx.fillStyle = ink['put-bar']
    plot.ctx.fill(below)
  })
}
