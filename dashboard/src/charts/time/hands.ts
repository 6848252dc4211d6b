import type { TimeChart } from './engine.ts'

/** Pixels of movement after which a press is a drag. */
const STILL = 4
/** Milliseconds of a press without movement that brings the crosshair by touch. */
const LONG = 350
/** Share of the speed that is left after a frame, and pixels a frame at which the chart comes to rest. */
const [SLOWING, SLOWEST] = [0.92, 0.4] as const

interface Pointer {
  readonly x: number
  readonly y: number
}

/**
 * Moves a chart by mouse, wheel and touch, until the returned function is called. `onTap`: told the place of a press
 * that neither moves nor lasts.
 */
export function handsOn(
  box: HTMLElement,
  chart: TimeChart,
  onTap: (place: { readonly left: number; readonly top: number }) => void
): () => void {
  const stop = new AbortController()
  const listen = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    act: (event: HTMLElementEventMap[Name]) => void,
    passive = true
  ) => box.addEventListener(name, act, { signal: stop.signal, passive })
  const placeOf = ({ clientX, clientY }: MouseEvent) => {
    const { left, top } = box.getBoundingClientRect()
    return { left: clientX - left, top: clientY - top }
  }
  const isOnAxis = (left: number) => left > (chart.scene?.axis ?? Number.POSITIVE_INFINITY)

  const pointers = new Map<number, Pointer>()
  let mode: 'none' | 'pan' | 'scale' | 'cross' = 'none'
  let travelled = 0
  let speed = 0
  let glide = 0
  let press: ReturnType<typeof setTimeout> | undefined

  const rest = () => {
    cancelAnimationFrame(glide)
    clearTimeout(press)
  }
  /** Lets the chart roll on after a swipe. */
  const roll = () => {
    if (Math.abs(speed) < SLOWEST) return
    chart.pan(speed)
    speed *= SLOWING
    glide = requestAnimationFrame(roll)
  }

  listen(
    'wheel',
    (event) => {
      event.preventDefault()
      rest()
      const { left } = placeOf(event)
      const unit = event.deltaMode === 1 ? 16 : 1
      const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (isSideways) chart.pan((event.deltaX || event.deltaY) * unit)
      else if (isOnAxis(left)) chart.scale(Math.exp(event.deltaY * unit * 0.001))
      else chart.zoom(Math.exp(event.deltaY * unit * 0.0015), left)
    },
    false
  )
  listen('dblclick', () => chart.fit())
  listen('pointerdown', (event) => {
    if (event.button !== 0 || event.target instanceof HTMLButtonElement) return
    rest()
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const { left, top } = placeOf(event)
    ;[travelled, speed] = [0, 0]
    mode = isOnAxis(left) ? 'scale' : 'pan'
    box.setPointerCapture(event.pointerId)
    if (event.pointerType === 'mouse' || pointers.size > 1) return
    press = setTimeout(() => {
      mode = 'cross'
      chart.point({ left, top })
    }, LONG)
  })
  listen('pointermove', (event) => {
    const before = pointers.get(event.pointerId)
    const place = placeOf(event)
    if (before === undefined) return event.pointerType === 'mouse' ? chart.point(place) : undefined
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    if (pointers.size === 2) return pinch(event, before)
    const [across, down] = [event.clientX - before.x, event.clientY - before.y]
    travelled += Math.abs(across) + Math.abs(down)
    if (travelled > STILL) clearTimeout(press)
    if (mode === 'cross' || event.pointerType === 'mouse') chart.point(place)
    if (mode === 'scale') chart.scale(Math.exp(down * 0.006))
    if (mode !== 'pan') return
    speed = -across
    chart.pan(-across)
  })
  const pinch = (event: PointerEvent, before: Pointer) => {
    clearTimeout(press)
    const other = [...pointers].find(([id]) => id !== event.pointerId)![1]
    const [was, is] = [Math.abs(before.x - other.x), Math.abs(event.clientX - other.x)]
    const middle = (event.clientX + other.x) / 2 - box.getBoundingClientRect().left
    chart.zoom(Math.max(20, was) / Math.max(20, is), middle)
    chart.pan((before.x - event.clientX) / 2)
    speed = 0
  }
  const lift = (event: PointerEvent) => {
    clearTimeout(press)
    if (!pointers.delete(event.pointerId)) return
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (mode === 'pan' && event.pointerType !== 'mouse' && !isCalm) roll()
    const isTap = event.type === 'pointerup' && /pan|scale/.test(mode) && travelled <= STILL && pointers.size === 0
    if (isTap) onTap(placeOf(event))
    if (pointers.size === 0) mode = 'none'
  }
  listen('pointerup', lift)
  listen('pointercancel', lift)
  listen('pointerleave', ({ pointerType }) => {
    if (pointerType === 'mouse' && pointers.size === 0) chart.point(undefined)
  })
  return () => {
    rest()
    stop.abort()
  }
}
