import { type Layer, middleOf } from '../scene.ts'

/** Share of the height that the largest bar takes. */
const HIGHEST = 0.13

/** Volumes at the foot of the prices. */
export const volume: Layer = (pen, scene) => {
  const { shown, first, last, pitch, plot, ink } = scene
  let most = 0
  for (let i = first; i <= last; i++) if (shown.v[i]! > most) most = shown.v[i]!
  if (most === 0) return undefined
  const width = Math.max(1, pitch * 0.72)
  pen.fillStyle = ink['ink-3']
  pen.globalAlpha = 0.3
  for (let i = first; i <= last; i++) {
    if (!(shown.v[i]! > 0)) continue
    const height = (shown.v[i]! / most) * plot.height * HIGHEST
    pen.fillRect(middleOf(scene, i) - width / 2, plot.height - height, width, height)
  }
  pen.globalAlpha = 1
  return { bars: [first * scene.size, last * scene.size] }
}
