import { CALL, type ContractRow, PUT, UNKNOWN } from './chain.ts'
import { parseOcc } from './occ.ts'
import type { PayloadRows } from './payload-rows.ts'
import { rootsOf, settlementOf } from './security.ts'
import type { IsoDate, Ticker } from './units.ts'

/** A contract as a vendor lists it, with unprocessed figures, NaN if absent; prices in USD per share. */
export interface ListedContract {
  /** OCC symbol, with or without spaces. */
  readonly occ: string
  /** Whether the contract delivers 100 shares of the underlying, as far as the vendor's other fields tell. */
  readonly isStandard: boolean
  readonly bid: number
  readonly ask: number
  readonly last: number
  /** Sizes of bid and ask, contracts. */
  readonly bidSize: number
  readonly askSize: number
  /** Volume of the chain's session, contracts. */
  readonly volume: number
  readonly openInterest: number
}

/** Numbers of contracts left out of a chain, by reason. */
export interface OmittedContracts {
  /** Contracts that deliver something other than 100 shares, as after a split. */
  adjusted: number
  expired: number
  /** Contracts whose symbol is unreadable, or names another underlying. */
  unreadable: number
}

export interface ListedRows {
  readonly rows: readonly ContractRow[]
  readonly leftOut: OmittedContracts
  readonly reading: PayloadRows
}

/**
 * Chain rows of a session, and counts of the contracts left out. A bid of 0 means that nobody bids. An ask or last
 * price of 0 is absent, a size of 0 next to a price is unknown, and a negative or infinite quote excludes its contract.
 */
export function listedRows(contracts: readonly ListedContract[], symbol: Ticker, session: IsoDate): ListedRows {
  const rows: ContractRow[] = []
  const leftOut: OmittedContracts = { adjusted: 0, expired: 0, unreadable: 0 }
  let [unusable, unusableLiquid, impossibleInterest] = [0, 0, 0]
  const roots = new Set(rootsOf(symbol).map((root) => root.replace(/[^A-Z0-9]/g, '')))
  for (const contract of contracts) {
    const row = rowOf(contract, roots, session)
    if (!Number.isNaN(contract.openInterest) && countOf(contract.openInterest) === UNKNOWN) impossibleInterest++
    if (typeof row === 'string') leftOut[row]++
    else if (isPossible(contract.bid) && isPossible(contract.ask)) rows.push(row)
    else {
      unusable++
      if (row.openInterest > 0 || row.volume > 0) unusableLiquid++
    }
  }
  const reading = {
    rows: contracts.length,
    unreadable: leftOut.unreadable,
    unusable,
    unusableLiquid,
    impossibleInterest
  }
  return { rows, leftOut, reading }
}

function rowOf(
  contract: ListedContract,
  roots: ReadonlySet<string>,
  session: IsoDate
): ContractRow | keyof OmittedContracts {
  const occ = parseOcc(contract.occ)
  if (occ === undefined || !roots.has(occ.underlying)) return 'unreadable'
  if (occ.adjusted || !contract.isStandard) return 'adjusted'
  const { root, expiration, strike } = occ
  if (expiration < session) return 'expired'
  const bid = contract.bid === 0 ? 0 : priceOf(contract.bid)
  const ask = priceOf(contract.ask)
  return {
    root,
    expiration,
    settlement: settlementOf(root, expiration),
    right: occ.right === 'call' ? CALL : PUT,
    strike,
    bid,
    ask,
    last: priceOf(contract.last),
    bidSize: sizeOf(contract.bidSize, bid),
    askSize: sizeOf(contract.askSize, ask),
    volume: countOf(contract.volume),
    openInterest: countOf(contract.openInterest)
  }
}

const isPossible = (quote: number) => !(quote < 0 || quote === Number.POSITIVE_INFINITY)

const priceOf = (value: number) => (value > 0 && value < Number.POSITIVE_INFINITY ? value : Number.NaN)

const countOf = (value: number) => (value >= 0 && value < 2 ** 31 && Number.isInteger(value) ? value : UNKNOWN)

function sizeOf(value: number, price: number): number {
  const size = countOf(value)
  return size === 0 && price > 0 ? UNKNOWN : size
}
