import { createHash } from 'node:crypto'
import type { Chain } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { UnwritableSnapshot } from '../history-error.ts'
import type { ChainSnapshot } from '../history-store.ts'
import { contractListColumns } from './contract-list.ts'
import { archiveOrder, unitOf } from './prices.ts'
import {
  contractNumbers,
  headerFigures,
  type SnapshotBeingEncoded,
  type SnapshotHeader,
  snapshotColumns
} from './snapshot-columns.ts'
import type { SnapshotColumns } from './snapshot-row.ts'
import { rowText, textField } from './tab-separated.ts'

/**
 * A snapshot as rows of the archive. Contracts and open interest rarely change within a session, so they form a
 * separate row, the contract list. All snapshots with the same contracts and open interest share it. The id of the list
 * is a hash of its content.
 */
export interface EncodedSnapshot {
  /** Unique key of the contract list in the archive. */
  readonly listKey: string
  readonly listRow: string
  readonly snapshotRow: string
}

/** Unique key of a contract list; `id` is a hash of its content. */
export function contractListKey(symbol: Ticker, session: IsoDate, id: string): string {
  return `${symbol} ${session} ${id}`
}

/**
 * Encodes a snapshot. Throws if the chain's contracts are not sorted as `assertSorted` requires, because their order is
 * not stored.
 */
export function encodeSnapshot({ chain, fidelity, missing }: ChainSnapshot): EncodedSnapshot {
  const { symbol, expirations, right } = chain
  const session = easternDate(chain.asOf)
  const order = archiveOrder(expirations, right)
  const contracts = rowText(contractListColumns.map(({ encode }) => encode({ chain, order })))
  const series = createHash('sha256').update(contracts).digest('hex').slice(0, 24)
  const snapshot = beingEncoded(chain, { fidelity, missing, session, series, order })
  return {
    listKey: contractListKey(symbol, session, series),
    listRow: rowText([textField(symbol), session, series, contracts]),
    snapshotRow: rowText(snapshotColumns.map(({ encode }) => encode(snapshot)))
  }
}

/** Encodes the content of a snapshot, except its contracts, as columns of numbers. Throws if it is not sorted. */
export function encodeColumns(chain: Chain, order: Uint32Array): SnapshotColumns {
  const snapshot = beingEncoded(chain, { fidelity: 'recorded', missing: [], session: '', series: '', order })
  const { header, odd } = snapshot
  const numbers = contractNumbers.map(({ encode }) => encode(snapshot))
  return {
    header: Float64Array.from(headerFigures.map(({ name }) => header[name])),
    numbers,
    oddSlot: Uint32Array.from(odd.slot),
    oddPrice: Float64Array.from(odd.price)
  }
}

function beingEncoded(
  chain: Chain,
  of: Pick<SnapshotBeingEncoded, 'fidelity' | 'missing' | 'session' | 'series' | 'order'>
): SnapshotBeingEncoded {
  const { bid, ask, last, quote } = chain
  assertSorted(chain)
  wholeInstant(chain.asOf)
  const header: SnapshotHeader = {
    delay: chain.delay,
    spot: chain.spot,
    underlying_bid: quote.bid ?? Number.NaN,
    underlying_ask: quote.ask ?? Number.NaN,
    underlying_last: quote.last,
    underlying_time: wholeInstant(quote.time),
    unit: unitOf(bid, ask),
    last_unit: unitOf(last)
  }
  return { chain, ...of, header, odd: { slot: [], price: [] }, levels: new Int32Array(0) }
}

function wholeInstant(moment: Instant): Instant {
  if (!Number.isSafeInteger(moment))
    throw new UnwritableSnapshot(`a moment is a whole number of milliseconds, not ${moment}`)
  return moment
}

/**
 * Throws unless the chain is sorted: its expirations follow each other without gaps, and within each of them strikes
 * ascend, with the call before the put.
 */
function assertSorted({ expirations, size, strike, right, symbol }: Chain): void {
  let covered = 0
  for (const { start, end, date: expiration } of expirations) {
    if (start !== covered || end < start)
      throw new UnwritableSnapshot(`the contracts of ${symbol} ${expiration} lie apart`)
    covered = end
    for (let slot = start; slot < end; slot++) {
      const above = slot === start || strike[slot] > strike[slot - 1]
      const putOfCall = slot > start && strike[slot] === strike[slot - 1] && right[slot] === 1 && right[slot - 1] === 0
      if (right[slot] > 1 || !(above || putOfCall))
        throw new UnwritableSnapshot(`the contracts of ${symbol} ${expiration} are not sorted`)
    }
  }
  if (covered !== size) throw new UnwritableSnapshot(`${symbol} has contracts without an expiration`)
}
