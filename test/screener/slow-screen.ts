import type { ScreenedRow } from '../../src/screener/screener-row.ts'
import { screenOf } from './screened.ts'

// A screen as its rules read, slow and obvious: the whole tree of every symbol is printed first, each contract with the
// figures of its strike and its expiration, and the filter is asked of one contract after another.

export type Value = number | string | boolean | null
export type Figures = Readonly<Record<string, Value>>
type Node = Readonly<Record<string, Value | readonly Node[]>>

export interface Printed {
  readonly symbol: string
  readonly figures: Figures
  /** Figures of each live contract, and of its symbol, expiration and strike, by full names such as `strikes.strike`. */
  readonly contracts: readonly Figures[]
}

/** Everything that a screen prints of a symbol. */
export function printed(row: ScreenedRow): Printed {
  const screened = { now: row.asOf, rows: [row], missing: [], presets: {} }
  const [found] = screenOf({ select: ['*', 'expiry_aggregates'] }, screened).rows
  const { expiry_aggregates: tree, ...figures } = found as Node
  const contracts = (tree as readonly Node[]).flatMap((expiry) =>
    (expiry['strike_aggregates'] as readonly Node[]).flatMap((strike) =>
      (strike['contracts'] as readonly Node[]).map((contract) => ({
        ...figures,
        ...named('expiries', expiry),
        ...named('strikes', strike),
        ...named('contracts', contract)
      }))
    )
  ) as readonly Figures[]
  return { symbol: row.symbol, figures: figures as Figures, contracts }
}

const named = (level: string, node: Node) =>
  Object.fromEntries(
    Object.entries(node)
      .filter(([, value]) => !Array.isArray(value))
      .map(([key, value]) => [`${level}.${key}`, value])
  )

interface Leaf {
  readonly field: string
  readonly operator: string
  readonly value?: unknown
}

export type Condition = Leaf | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[] }

/** Whether the figures of a contract, or those of a symbol, meet a condition. */
function meets({ field, operator, value }: Leaf, figures: Figures): boolean {
  const found = figures[field] ?? null
  if (operator === 'is_null') return found === null
  if (operator === 'is_not_null') return found !== null
  if (found === null) return false
  if (operator === 'eq') return found === value
  if (operator === 'neq') return found !== value
  if (operator === 'in') return (value as readonly Value[]).includes(found)
  if (operator === 'gt') return (found as number) > (value as number)
  if (operator === 'gte') return (found as number) >= (value as number)
  if (operator === 'lt') return (found as number) < (value as number)
  if (operator === 'lte') return (found as number) <= (value as number)
  const [low, high] = value as readonly number[]
  return (found as number) >= low && (found as number) <= high
}

type Left = 'all' | readonly Figures[]

/** Part of a symbol that passes: everything or some of its contracts; undefined if it does not pass. */
export function slowly(condition: Condition, row: Printed): Left | undefined {
  if (!('op' in condition)) {
    if (!condition.field.includes('.')) return meets(condition, row.figures) ? 'all' : undefined
    return unlessEmpty(row.contracts.filter((contract) => meets(condition, contract)))
  }
  const left = condition.conditions.map((each) => slowly(each, row))
  const trees = left.filter((each): each is readonly Figures[] => each !== undefined && each !== 'all')
  if (condition.op === 'or') {
    if (left.includes('all')) return 'all'
    return unlessEmpty(row.contracts.filter((contract) => trees.some((tree) => tree.includes(contract))))
  }
  if (left.includes(undefined)) return undefined
  if (trees.length === 0) return 'all'
  return unlessEmpty(row.contracts.filter((contract) => trees.every((tree) => tree.includes(contract))))
}

const unlessEmpty = (contracts: readonly Figures[]) => (contracts.length === 0 ? undefined : contracts)
