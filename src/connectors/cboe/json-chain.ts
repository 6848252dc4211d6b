import type { Chain, ContractRow } from '../../market/chain.ts'
import { buildChain, CALL, PUT, UNKNOWN } from '../../market/chain.ts'
import { parseOcc } from '../../market/occ.ts'
import { momentOf, type PayloadMoment } from '../../market/payload-moment.ts'
import type { PayloadRows } from '../../market/payload-rows.ts'
import type { IsoDate } from '../../market/units.ts'
import { type CboeLeftOut, type CboeListing, cboeListing } from './cboe-listing.ts'
import { type CboePayload, malformed, type PayloadFields, type PayloadHead, parsePayload } from './cboe-payload.ts'
import { chainHeader, countIn, priceIn } from './cboe-underlying.ts'

export interface CboeChain {
  readonly head: PayloadHead
  readonly chain: Chain
  /** Date of the session that the chain describes, see `PayloadMoment`. */
  readonly session: IsoDate
  /** Whether the session was over when the payload was created. */
  readonly closed: boolean
  readonly leftOut: CboeLeftOut
  /** Counts of rows that could and could not be used, from which the payload as a whole is judged. */
  readonly reading: PayloadRows
}

/**
 * Converts a payload to its chain with JSON.parse, which accepts any layout. Throws a `malformed` error if the payload
 * cannot be used. Cboe's volatilities and greeks are ignored: they are rounded to four decimals, and 0 stands for "none
 * was found".
 */
export function readByJson(bytes: Buffer): CboeChain {
  const payload = parsePayload(bytes)
  const moment = momentOf(payload)
  const { rows, leftOut, ...counts } = contractRows(payload, moment)
  const total = payload.contracts.length
  if (leftOut.unreadable * 2 > total) {
    const other = otherRoot(payload) ?? `${leftOut.unreadable} of its ${total} contracts cannot be read`
    throw malformed(other)
  }
  if (rows.length === 0) {
    const field = textField(payload.contracts)
    if (field !== undefined) throw malformed(`its numbers come as text: ${field}`)
  }
  const chain = buildChain(chainHeader(payload, moment), rows)
  const reading = { rows: total, unreadable: leftOut.unreadable, ...counts, repeated: rows.length - chain.size }
  return { head: payload, chain, session: moment.session.date, closed: moment.closed, leftOut, reading }
}

/** Sentence about a payload whose contracts are of another underlying than its symbol. */
function otherRoot({ symbol, contracts }: CboePayload): string | undefined {
  const named = contracts.map(({ option }) => (typeof option === 'string' ? parseOcc(option)?.root : undefined))
  const root = named.find((each) => each !== undefined)
  if (root === undefined || named.some((each) => each !== root)) return undefined
  return `its contracts are of the root ${root}, and its symbol is ${symbol}`
}

/** The first price or count of contracts that is a text, as `bid is "10.0"`. */
function textField(contracts: CboePayload['contracts']): string | undefined {
  for (const contract of contracts) {
    for (const name of ['bid', 'ask', 'open_interest']) {
      const value = contract[name]
      if (typeof value === 'string' && numberIn.test(value)) return `${name} is ${JSON.stringify(value)}`
    }
  }
  return undefined
}

const numberIn = /^\s*-?\d+(\.\d+)?\s*$/

interface ReadRows extends Pick<PayloadRows, 'unusable' | 'unusableLiquid' | 'impossibleInterest'> {
  readonly rows: readonly ContractRow[]
  readonly leftOut: CboeLeftOut
}

function contractRows({ symbol, contracts }: CboePayload, moment: PayloadMoment): ReadRows {
  const rows: ContractRow[] = []
  let unusable = 0
  let unusableLiquid = 0
  let impossibleInterest = 0
  const leftOut = { adjusted: 0, expired: 0, unreadable: 0 }
  const listing = cboeListing(symbol, moment.session.date)
  for (const contract of contracts) {
    const row = contractRow(contract, moment, listing)
    if (isImpossibleInterest(contract['open_interest'])) impossibleInterest++
    if (typeof row === 'string') leftOut[row]++
    else if (isUsable(contract['bid']) && isUsable(contract['ask'])) rows.push(row)
    else {
      unusable++
      if (row.openInterest > 0 || row.volume > 0) unusableLiquid++
    }
  }
  return { rows, leftOut, unusable, unusableLiquid, impossibleInterest }
}

function contractRow(
  contract: PayloadFields,
  { preOpen }: PayloadMoment,
  listing: CboeListing
): ContractRow | keyof CboeLeftOut {
  const symbol = contract['option']
  const occ = typeof symbol === 'string' ? parseOcc(symbol) : undefined
  if (occ === undefined) return 'unreadable'
  const settlement = listing(occ)
  if (settlement !== 'am' && settlement !== 'pm') return settlement
  const { root, expiration, strike } = occ
  const bid = contract['bid'] === 0 ? 0 : priceIn(contract['bid']) // a bid of 0 is a fact: nobody bids
  const ask = priceIn(contract['ask']) // an ask of 0 means that nobody offers, so there is no price
  const volume = countIn(contract['volume'])
  return {
    root,
    expiration,
    settlement,
    right: occ.right === 'call' ? CALL : PUT,
    strike,
    bid,
    ask,
    last: priceIn(contract['last_trade_price']), // 0 means never traded
    bidSize: sizeIn(contract['bid_size'], bid),
    askSize: sizeIn(contract['ask_size'], ask),
    volume: preOpen && volume > 0 ? 0 : volume, // before the opening: still the previous session's
    openInterest: countIn(contract['open_interest'])
  }
}

/** Whether a bid or ask is a price, zero or absent. Negative or infinite numbers and other types are faults. */
function isUsable(side: unknown): boolean {
  return side === undefined || side === null || (typeof side === 'number' && side >= 0 && side < Infinity)
}

/** Whether a stated open interest is impossible: no count of contracts, or not a number. An absent one is allowed. */
function isImpossibleInterest(value: unknown): boolean {
  return value !== undefined && value !== null && countIn(value) === UNKNOWN
}

/**
 * The size quoted with `price`. Index options are quoted with sizes of 0 next to real prices, which means that the size
 * is not stated.
 */
function sizeIn(value: unknown, price: number): number {
  const size = countIn(value)
  return size === 0 && price > 0 ? UNKNOWN : size
}
