import { effect, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { canDraw } from '../parts/drawings.ts'
import { percent } from '../parts/format.ts'
import { place } from '../state/page/address.ts'
import { isHidden } from '../state/page/reader.ts'
import { daysText, type Grid, gridOf, MARKED_DAYS } from '../state/screens/surface-grid.ts'
import { slice, surface } from '../state/screens/volatility-state.ts'
import { font, type Ink, ink } from './ink.ts'
import { rampColour } from './ramp.ts'

type Pen = CanvasRenderingContext2D

interface View {
  readonly width: number
  readonly height: number
  /** Radians. */
  readonly turn: number
  readonly tilt: number
}

/** Height of the solid as a share of its width. */
const HEIGHT = 0.62
const MARKED_MONEYNESS = [-0.2, -0.1, 0, 0.1]
/** Distance of axis labels from the floor, as a share of the floor. */
const GAP = 0.06

/** Maps moneyness, root of years and share of volatility to pixels and depth, as large as the box allows. */
function projection(grid: Grid, { width, height, turn, tilt }: View) {
  const [left, right] = [grid.moneyness[0]!, grid.moneyness.at(-1)!]
  const [near, far] = [grid.rows[0]!.depth, grid.rows.at(-1)!.depth]
  const flat = (m: number, d: number, up: number) => {
    const [x, y] = [(m - left) / (right - left) - 0.5, (d - near) / (far - near) - 0.5]
    const [across, away] = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)]
    return { x: across, y: away * Math.sin(tilt) - up * HEIGHT * Math.cos(tilt), away }
  }
  const corners = [left, right].flatMap((m) => [near, far].map((d) => flat(m, d, 0)))
  const rims = grid.rows.flatMap(({ depth, volatility }) =>
    [0, volatility.length >> 1, volatility.length - 1].map((j) =>
      flat(grid.moneyness[j]!, depth, heightOf(grid, volatility[j]!))
    )
  )
  const seen = [...corners, ...rims]
  const [xs, ys] = [seen.map(({ x }) => x), seen.map(({ y }) => y)]
  const span = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const
  const [[x0, x1], [y0, y1]] = [span(xs), span(ys)]
  const size = Math.min((width - 84) / (x1 - x0), (height - 48) / (y1 - y0))
  const [shiftX, shiftY] = [width / 2 - (size * (x0 + x1)) / 2, height / 2 - (size * (y0 + y1)) / 2]
  return (m: number, d: number, up: number) => {
    const at = flat(m, d, up)
    return { x: shiftX + at.x * size, y: shiftY + at.y * size, away: at.away }
  }
}

const heightOf = ({ low, high }: Grid, volatility: number) => (volatility - low) / (high - low || 1)

type Project = ReturnType<typeof projection>

function line(pen: Pen, points: readonly { readonly x: number; readonly y: number }[], colour: string, width: number) {
  pen.strokeStyle = colour
  pen.lineWidth = width
  pen.beginPath()
  for (const { x, y } of points) pen.lineTo(x, y) // The first call only moves to its point.
  pen.stroke()
}

function floor(pen: Pen, grid: Grid, { turn }: View, at: Project, colours: Ink) {
  const [left, right] = [grid.moneyness[0]!, grid.moneyness.at(-1)!]
  const [near, far] = [grid.rows[0]!.depth, grid.rows.at(-1)!.depth]
  pen.fillStyle = colours['ink-3']
  pen.font = font(10.5)
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  const edge = Math.cos(turn) > 0 ? far + GAP * (far - near) : near - GAP * (far - near)
  for (const m of MARKED_MONEYNESS) {
    if (m < left - 1e-6 || m > right + 1e-6) continue
    line(pen, [at(m, near, 0), at(m, far, 0)], colours['line-strong'], 1)
    const { x, y } = at(m, edge, 0)
    pen.fillText(m === 0 ? 'ATM' : percent(m * 100, 'signed', 0), x, y)
  }
  const side = Math.sin(turn) < 0 ? left - GAP * (right - left) : right + GAP * (right - left)
  for (const days of MARKED_DAYS) {
    const d = Math.sqrt(days / 365)
    if (d < near || d > far) continue
    line(pen, [at(left, d, 0), at(right, d, 0)], colours['line-strong'], 1)
    const { x, y } = at(side, d, 0)
    pen.fillText(daysText(days), x, y)
  }
}

/** Draws cells from back to front. */
function solid(pen: Pen, grid: Grid, at: Project) {
  const points = grid.rows.map(({ depth, volatility }) =>
    volatility.map((vol, j) => ({ ...at(grid.moneyness[j]!, depth, heightOf(grid, vol)), vol }))
  )
  const cells = points.slice(1).flatMap((row, i) =>
    row.slice(1).map((corner, j) => {
      const corners = [points[i]![j]!, points[i]![j + 1]!, corner, row[j]!]
      const mean = (of: (each: (typeof corners)[number]) => number) =>
        corners.reduce((sum, each) => sum + of(each), 0) / 4
      return {
        corners,
        away: mean(({ away }) => away),
        share: heightOf(
          grid,
          mean(({ vol }) => vol)
        )
      }
    })
  )
  cells.sort((a, b) => a.away - b.away)
  pen.lineWidth = 0.5
  pen.strokeStyle = 'rgb(255 255 255 / 0.16)'
  for (const { corners, share } of cells) {
    pen.fillStyle = rampColour(share ** 0.8)
    pen.beginPath()
    for (const { x, y } of corners) pen.lineTo(x, y)
    pen.closePath()
    pen.fill()
    pen.stroke()
  }
}

/** Draws the at-the-money line, and the expiration of the smile. */
function ridges(pen: Pen, grid: Grid, at: Project, colours: Ink) {
  const money = grid.moneyness.findIndex((each) => Math.abs(each) < 1e-9)
  if (money >= 0) {
    const ridge = grid.rows.map(({ depth, volatility }) => at(0, depth, heightOf(grid, volatility[money]!)))
    line(pen, ridge, 'rgb(255 255 255 / 0.7)', 1)
  }
  const shown = grid.rows.find(({ expiry }) => expiry === slice.peek()?.expiry)
  if (shown === undefined) return
  line(
    pen,
    grid.moneyness.map((m, j) => at(m, shown.depth, heightOf(grid, shown.volatility[j]!))),
    colours.put,
    2.5
  )
}

/** Draws the surface from above: time to the right, moneyness upwards, volatility as colour. */
function heat(pen: Pen, grid: Grid, { width, height }: View, colours: Ink) {
  const [left, top, right, bottom] = [56, 10, width - 14, height - 28]
  const [near, far] = [grid.rows[0]!.depth, grid.rows.at(-1)!.depth]
  const x = (d: number) => left + ((d - near) / (far - near)) * (right - left)
  const rowHeight = (bottom - top) / grid.moneyness.length
  grid.rows.forEach(({ depth, volatility }, i) => {
    const from = x(i === 0 ? near : (depth + grid.rows[i - 1]!.depth) / 2)
    const to = x(i + 1 === grid.rows.length ? far : (depth + grid.rows[i + 1]!.depth) / 2)
    volatility.forEach((vol, j) => {
      pen.fillStyle = rampColour(heightOf(grid, vol) ** 0.8)
      pen.fillRect(from, bottom - (j + 1) * rowHeight, to - from + 0.7, rowHeight + 0.7)
    })
  })
  pen.fillStyle = colours['ink-3']
  pen.font = font(11)
  pen.textBaseline = 'middle'
  pen.textAlign = 'center'
  for (const days of MARKED_DAYS) {
    const d = Math.sqrt(days / 365)
    if (d >= near && d <= far) pen.fillText(daysText(days), x(d), bottom + 14)
  }
  pen.textAlign = 'right'
  for (const m of MARKED_MONEYNESS) {
    const j = grid.moneyness.findIndex((each) => Math.abs(each - m) < 1e-6)
    if (j >= 0) pen.fillText(m === 0 ? 'ATM' : percent(m * 100, 'signed', 0), left - 8, bottom - (j + 0.5) * rowHeight)
  }
}

function draw(canvas: HTMLCanvasElement, grid: Grid, turn: number, tilt: number, asHeat: boolean) {
  const { width, height } = canvas.getBoundingClientRect()
  canvas.width = width * devicePixelRatio
  canvas.height = height * devicePixelRatio
  const pen = canvas.getContext('2d')!
  pen.scale(devicePixelRatio, devicePixelRatio)
  const [colours, view] = [ink.peek(), { width, height, turn, tilt }]
  if (asHeat) return heat(pen, grid, view, colours)
  const at = projection(grid, view)
  floor(pen, grid, view, at, colours)
  solid(pen, grid, at)
  ridges(pen, grid, at, colours)
}

const TURNS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-0.1, 0],
  ArrowRight: [0.1, 0],
  ArrowUp: [0, -0.08],
  ArrowDown: [0, 0.08]
}

/** The surface as a solid that the pointer or the arrow keys turn, or as a heat map. */
export function SurfacePlot() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const turn = useSignal(-0.62)
  const tilt = useSignal(0.52)
  useEffect(() => {
    const box = canvas.current!
    let frame = 0
    const drawNow = () => {
      const answer = surface.answer.peek()
      const grid = answer === undefined ? undefined : gridOf(answer.total_variance_surface)
      if (grid !== undefined) draw(box, grid, turn.peek(), tilt.peek(), place.peek().surface === 'heat')
    }
    const paint = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(drawNow)
    }
    canDraw(box, drawNow)
    const stop = effect(() => {
      void [ink.value, surface.answer.value, slice.value?.expiry, turn.value, tilt.value, place.value.surface]
      if (!isHidden.value) paint()
    })
    const stopColouring = effect(() => {
      void ink.value
      drawNow() // For print, which a browser captures before its next frame.
    })
    const watch = new ResizeObserver(paint)
    watch.observe(box)
    return () => {
      stop()
      stopColouring()
      watch.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])
  const move = (by: number, up: number) => {
    turn.value += by
    tilt.value = Math.min(1.4, Math.max(0.1, tilt.value + up))
  }
  return (
    <canvas
      ref={canvas}
      class="turnable"
      role="img"
      tabIndex={0}
      aria-label="Implied volatility by time and moneyness; the arrow keys turn it"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => event.buttons === 1 && move(event.movementX * 0.008, event.movementY * 0.006)}
      onKeyDown={(event) => {
        const by = TURNS[event.key]
        if (by === undefined) return
        event.preventDefault()
        move(...by)
      }}
    />
  )
}
