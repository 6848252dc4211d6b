import type { Scope } from '../scope.ts'

/** Lowest and highest listed strike of a scope. Both are undefined without a contract. */
export interface StrikeRange {
  readonly lowest: number | undefined
  readonly highest: number | undefined
}

export function strikeRange({ chain, slots }: Scope): StrikeRange {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const i of slots) {
    lowest = Math.min(lowest, chain.strike[i])
    highest = Math.max(highest, chain.strike[i])
  }
  return slots.length === 0 ? { lowest: undefined, highest: undefined } : { lowest, highest }
}

/** Whether a price lies among the listed strikes. A gamma flip beyond them is none, because no quote supports it. */
export function isWithin({ lowest, highest }: StrikeRange, price: number): boolean {
  return lowest !== undefined && highest !== undefined && price >= lowest && price <= highest
}
