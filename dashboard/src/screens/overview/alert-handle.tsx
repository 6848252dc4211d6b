import { useRef } from 'preact/hooks'
import { priceAt, type Scene } from '../../charts/time/scene.ts'
import { price } from '../../parts/format.ts'
import { SureButton } from '../../parts/sure-button.tsx'
import {
  type Aim,
  aimAt,
  CONDITION_WORDS,
  type LineCondition,
  stepFor,
  stepped,
  toStep
} from '../../state/chart/aim.ts'
import { levelsNow } from '../../state/chart/alert-lines.ts'

/** Height of a handle, CSS pixels. */
export const HANDLE = 24
/** Pixels of movement after which a press is a drag. */
const STILL = 3
/** Pixels within which a line is tied to a level. */
const NEAR = 7
/** Steps of a press with PageUp or PageDown. */
const FAR = 10

const perPixel = ({ low, high, plot }: Scene) => (high - low) / plot.height

/** The price at a height in sight, or the level near it. */
export function aimAtHeight(scene: Scene, height: number): Aim {
  return aimAtPrice(scene, priceAt(scene, Math.min(scene.plot.height, Math.max(0, height))))
}

/** A price to a step that suits the chart, or the level near it. */
export function aimAtPrice(scene: Scene, wanted: number): Aim {
  const aim = aimAt(wanted, NEAR * perPixel(scene), levelsNow.value)
  return aim.level === undefined ? { ...aim, price: toStep(wanted, stepFor(perPixel(scene))) } : aim
}

/** The level of an aim in words: its call wall. */
const levelName = ({ level }: Aim) => levelsNow.value.find((each) => each.level === level)?.name ?? 'level'

/** Says when an alert about the price fires: crosses 695.00. */
export const lineWords = (condition: string, aim: Aim) =>
  `${CONDITION_WORDS[condition as LineCondition]} ${aim.level === undefined ? price(aim.price) : `its ${levelName(aim)}`}`

interface Props {
  readonly scene: Scene
  readonly aim: Aim
  readonly symbol: string
  /** Middle of the handle, which keeps apart from others. */
  readonly top: number
  readonly words: string
  readonly note?: string | undefined
  readonly isFaint?: boolean
  readonly onMove: (aim: Aim) => void
  readonly onSet: () => void
  readonly onUndo: () => void
  /** Undefined: nothing is there to remove. */
  readonly onRemove?: () => void
}

/** A line at a price with a handle, which is dragged, or moved by the arrow keys. */
export function AlertHandle({
  scene,
  aim,
  symbol,
  top,
  words,
  note,
  isFaint = false,
  onMove,
  onSet,
  onUndo,
  onRemove
}: Props) {
  const { plot, axis, y } = scene
  const acts = useRef<HTMLSpanElement>(null)
  const height = y(aim.price)
  const isInSight = height >= 0 && height <= plot.height
  const grab = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    if (event.button !== 0) return
    const handle: HTMLElement = event.currentTarget
    const stop = new AbortController()
    const { signal } = stop
    const offset = event.clientY - (isInSight ? height : top)
    let isMoved = false
    handle.setPointerCapture(event.pointerId)
    handle.addEventListener(
      'pointermove',
      ({ clientY }) => {
        isMoved ||= Math.abs(clientY - event.clientY) > STILL
        if (isMoved) onMove(aimAtHeight(scene, clientY - offset))
      },
      { signal }
    )
    const end = ({ type }: PointerEvent) => {
      stop.abort()
      if (type === 'pointercancel') onUndo()
      else if (isMoved) onSet()
    }
    handle.addEventListener('pointerup', end, { signal })
    handle.addEventListener('pointercancel', end, { signal })
  }
  const press = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1, PageUp: FAR, PageDown: -FAR }[event.key]
    if (by !== undefined) onMove(stepped(aim, by, stepFor(perPixel(scene)), levelsNow.value))
    else if (event.key === 'Enter') onSet()
    else if (event.key === 'Escape') onUndo()
    else if (/^(Delete|Backspace)$/.test(event.key) && onRemove !== undefined)
      acts.current?.querySelector('button')?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class={isFaint ? 'alert-line faint' : 'alert-line'}>
      {isInSight && <i style={{ top: `${height}px`, width: `${axis}px` }} />}
      <span class="alert-label" style={{ top: `${top}px` }}>
        <span
          class="alert-handle"
          role="slider"
          tabIndex={0}
          aria-orientation="vertical"
          aria-label={`Alert: ${symbol} ${words}`}
          aria-valuenow={aim.price}
          aria-valuemin={Number(Math.min(scene.low, aim.price).toFixed(2))}
          aria-valuemax={Number(Math.max(scene.high, aim.price).toFixed(2))}
          aria-valuetext={`${symbol} ${words}`}
          title="Drag the line, or move it by the arrow keys"
          onPointerDown={grab}
          onKeyDown={press}
        >
          {isInSight ? '' : height < 0 ? '↑ ' : '↓ '}
          {words}
          {aim.level !== undefined && <small> {price(aim.price)}</small>}
          {note !== undefined && <small> {note}</small>}
        </span>
        {onRemove !== undefined && (
          <span class="acts" ref={acts}>
            <SureButton name="Remove" of={`${symbol} ${words}`} act={onRemove} />
          </span>
        )}
      </span>
    </div>
  )
}
