import { parentOfRoot } from './security.ts'
import type { Ticker } from './units.ts'

/** An instrument on an index that levels of another one can be drawn on. */
export interface FamilyMember {
  readonly symbol: Ticker
  /** The index behind it. */
  readonly index: Ticker
  /** The least step of its price, where it is a future; undefined of an index or fund. */
  readonly tick: number | undefined
}

/** Ticks of futures in index points. Source: contract specifications of CME Group. */
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

/** The instruments on the index of a symbol, the symbol among them; the symbol alone where it is on none of them. */
export function familyOf(symbol: Ticker): readonly FamilyMember[] {
  const index = (members.get(symbol) ?? members.get(parentOfRoot(symbol) ?? symbol))?.index
  const family = [...members.values()].filter((member) => member.index === index)
  return family.some((member) => member.symbol === symbol)
    ? family
    : [{ symbol, index: index ?? symbol, tick: undefined }, ...family]
}
