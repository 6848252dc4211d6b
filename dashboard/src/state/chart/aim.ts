import type { Alert, Condition, Target } from '../screens/alerts-state.ts'
import { LEVEL_METRICS, PRICE } from '../screens/metric-names.ts'

/** A level that an alert can be tied to, by its field in the bars of the chart. */
export type TiedLevel = keyof typeof LEVEL_METRICS

/** A price on the chart, or the level at it, which an alert then follows wherever it goes. */
export interface Aim {
  readonly price: number
  /** Undefined: the price alone. */
  readonly level: TiedLevel | undefined
}

/** A level that alerts can be tied to, with its name and its price of now. */
export interface LevelNow {
  readonly level: TiedLevel
  readonly name: string
  readonly price: number
}

/** The level within a distance of a price, else the price. Of levels at one price the first. */
export function aimAt(price: number, within: number, levels: readonly LevelNow[]): Aim {
  const away = (each: LevelNow) => Math.abs(each.price - price)
  const near = levels.filter((each) => away(each) <= within)
  const nearest = near.reduce<LevelNow | undefined>(
    (best, each) => (best === undefined || away(each) < away(best) ? each : best),
    undefined
  )
  return nearest === undefined ? { price, level: undefined } : { price: nearest.price, level: nearest.level }
}

const STEPS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5, 10, 50] as const

/** The step of prices that suits a chart with so many dollars a pixel. */
export const stepFor = (perPixel: number): number => STEPS.find((step) => step >= perPixel) ?? 100

/** A price to a whole number of steps. */
export const toStep = (price: number, step: number): number => Number((Math.round(price / step) * step).toFixed(2))

/** A price one or more steps on, stopping at a level on the way. */
export function stepped(from: Aim, by: number, step: number, levels: readonly LevelNow[]): Aim {
  const next = toStep(from.price, step) + by * step
  const [low, high] = by < 0 ? [next, from.price] : [from.price, next]
  const passed = levels.filter(({ price }) => price !== from.price && price >= low && price <= high)
  const [first] = passed.sort((a, b) => Math.abs(a.price - from.price) - Math.abs(b.price - from.price))
  return first === undefined
    ? { price: Number(next.toFixed(2)), level: undefined }
    : { price: first.price, level: first.level }
}

/** The right-hand side of an alert that a line stands for. */
export const targetAt = ({ price, level }: Aim): Target =>
  level === undefined ? price : { metric: LEVEL_METRICS[level] }

/** The place of an alert on the price axis; undefined: it watches another figure, or its level is not known now. */
export function aimOf(
  { metric, condition, value }: Pick<Alert, 'metric' | 'condition' | 'value'>,
  levels: readonly LevelNow[]
): Aim | undefined {
  if (metric !== PRICE || condition === 'changes_by') return undefined
  if (typeof value === 'number') return { price: value, level: undefined }
  const level = levels.find((each) => LEVEL_METRICS[each.level] === value.metric)
  return level && { price: level.price, level: level.level }
}

export const CONDITION_WORDS = {
  crosses: 'crosses',
  above: 'comes above',
  below: 'falls below'
} as const satisfies Partial<Record<Condition, string>>
export type LineCondition = keyof typeof CONDITION_WORDS
export const LINE_CONDITIONS = Object.keys(CONDITION_WORDS) as readonly LineCondition[]
