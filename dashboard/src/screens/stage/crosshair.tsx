import type { ComponentType } from 'preact'
import { PADDING_TOP, TIME_AXIS } from '../../charts/price-chart.tsx'
import type { Stage } from '../../state/day/price-stage.ts'

type Rows = Pick<Stage, 'rows' | 'prices' | 'pointed'>

/** The strike nearest to a price; undefined without strikes. */
function nearest({ rows }: Rows, at: number): number | undefined {
  const away = (strike: number) => Math.abs(strike - at)
  return rows.value.reduce<number | undefined>(
    (best, { strike }) => (best === undefined || away(strike) < away(best) ? strike : best),
    undefined
  )
}

/** Arrow keys move the crosshair by strikes; escape hides it. */
export function stepper(stage: Rows) {
  return (event: KeyboardEvent) => {
    const { rows, prices, pointed } = stage
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    const [low, high] = prices.value ?? [0, 0]
    if (event.key === 'Escape') pointed.value = undefined
    if (way === undefined || rows.value.length === 0 || event.target !== event.currentTarget) return
    event.preventDefault()
    const from = nearest(stage, pointed.value ?? (low + high) / 2)
    const next = rows.value[rows.value.findIndex(({ strike }) => strike === from) + way]?.strike
    if (next !== undefined && next > low && next < high) pointed.value = next
  }
}

interface CrosshairProps {
  readonly stage: Rows
  /** Shows the figures of a strike. */
  readonly tip: ComponentType<{ readonly strike: number }>
}

/** A line through both charts at the strike under the pointer, with its figures. */
export function Crosshair({ stage, tip: Tip }: CrosshairProps) {
  const at = stage.pointed.value
  const window = stage.prices.value
  const strike = at === undefined ? undefined : nearest(stage, at)
  if (strike === undefined || window === undefined) return null
  const share = (window[1] - strike) / (window[1] - window[0])
  if (share < 0 || share > 1) return null
  return (
    <div class="cross" style={{ top: `calc(${PADDING_TOP}px + (100% - ${PADDING_TOP + TIME_AXIS}px) * ${share})` }}>
      <div class={`tip ${share < 0.35 ? 'below' : ''}`} role="status">
        <Tip strike={strike} />
      </div>
    </div>
  )
}
