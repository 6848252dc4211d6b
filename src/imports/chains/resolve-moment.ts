import { CALL, type ContractRow } from '../../market/chain.ts'
import type { MomentRow } from './moment-rows.ts'

/** The contracts of a moment, each once, and what its rows say of the underlying. */
export interface ResolvedMoment {
  /** In the order of chains. */
  readonly contracts: readonly MomentRow[]
  /** Rows that say nothing more than another one: the same figures, or figures before the last ones after a close. */
  readonly repeated: number
  /** Contracts that come more than once with other figures; the last row of each is in `contracts`. */
  readonly contradicted: readonly Contradiction[]
  /** Price of the underlying, USD per share: the median of the rows; undefined if none states one. */
  readonly price: number | undefined
  /** Quote of the underlying, NaN or 0 where a side is missing: the one whose midpoint is the median. */
  readonly quote: { readonly bid: number; readonly ask: number } | undefined
  /** Lowest and highest price of the underlying that the rows state, or midpoint of its quote. */
  readonly lowest: number | undefined
  readonly highest: number | undefined
  /** Whether a row states 0 for the underlying. */
  readonly isZero: boolean
}

export interface Contradiction {
  readonly row: MomentRow
  readonly other: MomentRow
}

/**
 * Finds the contracts of a moment from its rows, in whatever order they come. Of rows of one contract that state other
 * times the last time counts. Rows of one time with the same figures count once; of those with other figures the last
 * row counts, and the contract is listed as contradicted.
 */
export function resolveMoment(rows: readonly MomentRow[]): ResolvedMoment {
  const sorted = isAscending(rows) ? rows : rows.toSorted(compare)
  const contracts: MomentRow[] = []
  const contradicted: Contradiction[] = []
  let repeated = 0
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1
    while (end < sorted.length && compareContracts(sorted[start], sorted[end]) === 0) end++
    const last = sorted[end - 1]
    contracts.push(last)
    if (end > start + 1) {
      const before = sorted.slice(start, end - 1)
      const other = before.find((row) => row.stated === last.stated && !hasSameFigures(row, last))
      if (other === undefined) repeated += before.length
      else contradicted.push({ row: last, other })
    }
    start = end
  }
  return { contracts, repeated, contradicted, ...underlyingOf(sorted) }
}

function isAscending(rows: readonly MomentRow[]): boolean {
  return rows.every((row, at) => at === 0 || compareContracts(rows[at - 1], row) < 0)
}

function compareContracts(a: ContractRow, b: ContractRow): number {
  if (a.expiration !== b.expiration) return a.expiration < b.expiration ? -1 : 1
  if (a.root !== b.root) return a.root < b.root ? -1 : 1
  return a.strike - b.strike || a.right - b.right
}

function compare(a: MomentRow, b: MomentRow): number {
  return compareContracts(a, b) || a.stated - b.stated || a.table - b.table || a.line - b.line
}

const figures = ['bid', 'ask', 'last', 'bidSize', 'askSize', 'volume', 'openInterest'] as const

function hasSameFigures(a: MomentRow, b: MomentRow): boolean {
  return figures.every((name) => Object.is(a[name], b[name]))
}

/** What all rows of the last time say, repeated ones too: none of them comes first. */
function underlyingOf(all: readonly MomentRow[]) {
  const newest = all.reduce((time, { stated }) => Math.max(time, stated), Number.NEGATIVE_INFINITY)
  const rows = all.filter(({ stated }) => stated === newest)
  const prices = rows.map(({ price }) => price).filter((price) => price > 0)
  const stated = rows
    .map(({ underlyingBid: bid, underlyingAsk: ask }) => ({ bid, ask, mid: (bid + ask) / 2 }))
    .filter(({ bid, ask }) => bid > 0 || ask > 0)
    .sort((a, b) => a.mid - b.mid || a.bid - b.bid)
  const twoSided = stated.filter(({ bid, ask }) => bid > 0 && ask >= bid)
  const quotes = twoSided.length > 0 ? twoSided : stated
  const levels = prices.length > 0 ? prices.sort((a, b) => a - b) : twoSided.map(({ mid }) => mid)
  return {
    price: prices.length > 0 ? middle(prices) : undefined,
    quote: quotes.length > 0 ? middle(quotes) : undefined,
    lowest: levels.at(0),
    highest: levels.at(-1),
    isZero: rows.some((row) => [row.price, row.underlyingBid, row.underlyingAsk].includes(0))
  }
}

/** The middle of a sorted list, the lower one of two. */
function middle<Item>(sorted: readonly Item[]): Item {
  return sorted[(sorted.length - 1) >> 1]
}

/** Name of a contract for sentences: SPXW 2024-03-15 4800 C. */
export function contractText({ root, expiration, strike, right }: ContractRow): string {
  return `${root} ${expiration} ${strike} ${right === CALL ? 'C' : 'P'}`
}
