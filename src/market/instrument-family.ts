import { parentOfRoot } from './security.ts'
import type { Ticker } from './units.ts'

/** An index, or a fund or future that follows it. Price levels of one can be drawn on the chart of another. */
export interface FamilyMember {
  readonly symbol: Ticker
  /** The index that the instrument follows. */
  readonly index: Ticker
  /** Tick size of a future; undefined for an index or fund. */
  readonly tick: number | undefined
}

/**
 * Indexes, each with the instruments that follow it and the tick sizes of futures in index points. Source: contract
 * specifications of CME Group.
 */
const families: Readonly<Record<string, readonly (readonly [symbol: string, tick?: number])[]>> = {
  SPX: [['SPX'], ['SPXW'], ['XSP'], ['SPY'], ['ES', 0.25], ['MES', 0.25]],
  NDX: [['NDX'], ['QQQ'], ['NQ', 0.25], ['MNQ', 0.25]],
  RUT: [['RUT'], ['MRUT'], ['IWM'], ['RTY', 0.1], ['M2K', 0.1]]
}

const members: ReadonlyMap<string, FamilyMember> = new Map(
  Object.entries(families).flatMap(([index, listed]) =>
    listed.map(([symbol, tick]) => [symbol, { symbol: symbol as Ticker, index: index as Ticker, tick }] as const)
  )
)

/**
 * The instruments on the same index as a symbol, including the symbol itself; the symbol alone if it follows no index.
 */
export function familyOf(symbol: Ticker): readonly FamilyMember[] {
  const index = (members.get(symbol) ?? members.get(parentOfRoot(symbol) ?? symbol))?.index
  const family = [...members.values()].filter((member) => member.index === index)
  return family.some((member) => member.symbol === symbol)
    ? family
    : [{ symbol, index: index ?? symbol, tick: undefined }, ...family]
}
