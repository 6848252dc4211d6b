import type { StageRow } from '../../../state/day/price-stage.ts'
import { inkOf } from '../inks.ts'
import type { Layer, Scene } from '../scene.ts'
import { crisp, label, line, segment, within } from '../strokes.ts'

/** Net figures below this share of the largest get no tick. */
const WORTH_A_TICK = 0.02

/** Gamma by strike beside the prices: puts to the left, calls to the right, what expires today solid inside all. */
export const profile: Layer = (pen, scene) => {
  const { data, profile: box, ink, y } = scene
  if (box === undefined || data.strikes === undefined) return undefined
  const frame = { ...box, height: scene.foot }
  line(pen, ink.line, 1, [], () => segment(pen, crisp(box.left), 0, crisp(box.left), frame.height))
  const seen = data.strikes.filter(({ strike }) => y(strike) > 0 && y(strike) < box.height)
  if (seen.length === 0) return undefined
  within(pen, box, () => paint(pen, scene, seen))
  return { prices: [seen[0]!.strike, seen.at(-1)!.strike] }
}

function paint(pen: CanvasRenderingContext2D, scene: Scene, seen: readonly StageRow[]): void {
  const { data, ink, y } = scene
  const box = scene.profile!
  const sizes = seen.flatMap(({ call, put, callToday, putToday }) => [call, put, callToday, putToday])
  const most = Math.max(1, ...sizes.map((size) => Math.abs(size ?? 0)))
  const half = box.width / 2 - 10
  const zero = box.left + box.width / 2
  const scaled = (size: number) => (data.isRootScale ? Math.sign(size) * Math.sqrt(Math.abs(size) / most) : size / most)
  const x = (value: number) => zero + scaled(value) * half
  const pitch = seen.length < 2 ? 12 : Math.abs(y(seen[0]!.strike) - y(seen.at(-1)!.strike)) / (seen.length - 1)
  const bar = (strike: number, from: number, to: number, thick: number, fill: string) => {
    pen.fillStyle = fill
    pen.fillRect(Math.min(x(from), x(to)), y(strike) - thick / 2, Math.abs(x(to) - x(from)), thick)
  }
  const [thick, thin] = [Math.max(1, Math.min(15, pitch * 0.74)), Math.max(1, Math.min(8, pitch * 0.42))]
  for (const { strike, call, put, callToday, putToday } of seen) {
    // Some models put calls and puts of a strike on one side. They are stacked then.
    const isStacked = (call ?? 0) * (put ?? 0) > 0
    const isStackedToday = (callToday ?? 0) * (putToday ?? 0) > 0
    bar(strike, 0, put ?? 0, thick, ink['put-bar'])
    bar(strike, isStacked ? put! : 0, (isStacked ? put! : 0) + (call ?? 0), thick, ink['call-bar'])
    bar(strike, 0, putToday ?? 0, thin, ink.put)
    bar(strike, isStackedToday ? putToday! : 0, (isStackedToday ? putToday! : 0) + (callToday ?? 0), thin, ink.call)
  }
  line(pen, ink['line-strong'], 1, [], () => segment(pen, crisp(zero), 0, crisp(zero), box.height))
  pen.fillStyle = ink.ink
  for (const { strike, call, put, callToday, putToday } of seen) {
    const net = (call ?? callToday ?? 0) + (put ?? putToday ?? 0)
    const tall = Math.min(9, Math.max(3, pitch * 0.8))
    if (Math.abs(net) >= WORTH_A_TICK * most) pen.fillRect(x(net) - 1, y(strike) - tall / 2, 2, tall)
  }
  for (const { value, tone, dash } of data.marks) {
    pen.globalAlpha = 0.8
    const across = () => segment(pen, box.left, crisp(y(value)), box.left + box.width, crisp(y(value)))
    line(pen, inkOf(ink, tone), 1, dash.length === 0 ? [4, 3] : dash, across)
    pen.globalAlpha = 1
  }
  const font = scene.font(10)
  const at = box.height - 9
  if (box.width > 96) {
    const words = { y: at, ground: ink.panel, colour: ink['ink-3'], font }
    label(pen, { ...words, text: 'put γ', x: zero - 2, from: 'right' })
    label(pen, { ...words, text: 'call γ', x: zero + 2, from: 'left' })
  }
}
