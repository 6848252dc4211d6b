import { type StripDay, strip, stripWindow } from '../../state/chart/strip-state.ts'
import { dayOf, shortDate } from '../../state/day/time.ts'
import { turn } from '../../state/page/address.ts'

/** Height of the line of closes in the drawing, which stretches to its box. */
const HIGH = 100

/** Shows the sessions from `first` to `last` in the chart. At the end it follows what comes. */
function show(days: readonly StripDay[], first: number, last: number): void {
  const isAtEnd = last >= days.length - 1
  turn({ from: `${days[first]!.date}T09:30`, to: isAtEnd ? undefined : `${days[last]!.date}T16:00` })
}

/** Moves the window by sessions, within those there are. */
function move(by: number): void {
  const [days, seen] = [strip.peek(), stripWindow.peek()]
  if (seen === undefined) return
  const [first, last] = seen
  const step = Math.max(-first, Math.min(days.length - 1 - last, by))
  if (step !== 0) show(days, first + step, last + step)
}

/** The sessions of three months as a line of closes; green where they are recorded. A window shows what the chart shows. */
export function ChartStrip() {
  const [days, seen] = [strip.value, stripWindow.value]
  if (seen === undefined) return <div class="strip" />
  const [first, last] = seen
  const closes = days.map(({ close }) => close)
  const [low, high] = [Math.min(...closes), Math.max(...closes)]
  const y = (close: number) => (1 - (close - low) / (high - low || 1)) * HIGH
  const path = closes.map((close, i) => `${i === 0 ? 'M' : 'L'}${i + 0.5} ${y(close).toFixed(1)}`).join('')
  const share = (position: number) => `${(position / days.length) * 100}%`
  const grab = (event: PointerEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect()
    const at = Math.floor(((event.clientX - box.left) / box.width) * days.length)
    const middle = Math.round((first + last) / 2)
    // A press beside the window brings it there.
    if (at < first || at > last) move(at - middle)
    const [begun] = stripWindow.peek()!
    const drag = ({ clientX }: PointerEvent) => {
      const [now] = stripWindow.peek()!
      move(begun + Math.round(((clientX - event.clientX) / box.width) * days.length) - now)
    }
    const end = () => {
      removeEventListener('pointermove', drag)
      removeEventListener('pointerup', end)
    }
    addEventListener('pointermove', drag)
    addEventListener('pointerup', end)
  }
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -5, PageDown: 5, Home: -days.length, End: days.length }[
      event.key
    ]
    if (by === undefined) return
    event.preventDefault()
    move(by)
  }
  return (
    <div
      class="strip"
      role="slider"
      tabIndex={0}
      aria-label="Sessions that the chart shows"
      aria-valuemin={0}
      aria-valuemax={days.length - 1}
      aria-valuenow={first}
      aria-valuetext={`${dayOf(days[first]!.date)} to ${dayOf(days[last]!.date)}`}
      onPointerDown={grab}
      onKeyDown={press}
    >
      <svg viewBox={`0 0 ${days.length} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} />
      </svg>
      {days.map(({ date, recorded }, i) => (
        <i key={date} class={recorded ?? 'none'} style={{ left: share(i), width: `calc(${share(1)} - 1px)` }} />
      ))}
      <b style={{ left: share(first), width: share(last - first + 1) }} />
      <small>{shortDate(days[0]!.date)}</small>
    </div>
  )
}
