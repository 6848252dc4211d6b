import { createHash } from 'node:crypto'
import type { Chain, Expiration } from '../../market/chain.ts'
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
import { textField } from './tab-separated.ts'
import { TabSeparatedBytes } from './tab-separated-bytes.ts'

/**
 * The contracts and open interest of a snapshot. They rarely change within a session, so they form a row of their own, the
 * contract list, which all snapshots with the same contracts and open interest share. Its id is a hash of its content.
 */
export interface EncodedList {
  readonly id: string
  /** Unique key of the contract list in the archive. */
  readonly key: string
  /** Slots of the chain, listed in archive order; see `archiveOrder`. */
  readonly order: Uint32Array
  /** The list's row, with its line end. */
  readonly row: Uint8Array
}

/** Unique key of a contract list; `id` is a hash of its content. */
export function contractListKey(symbol: Ticker, session: IsoDate, id: string): string {
  return `${symbol} ${session} ${id}`
}

/** A contract list with copies of its columns, because the memory of a chain may be used again. */
interface ListedContracts extends EncodedList {
  readonly session: IsoDate
  readonly expirations: readonly Expiration[]
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly openInterest: Int32Array
}

/** Symbols whose newest list is remembered. */
const MAX_LISTS = 8

/**
 * Encodes snapshots as rows of the archive. Remembers the newest contract lists, so that the list of a snapshot with the same
 * contracts is not made again.
 */
export class SnapshotEncoder {
  readonly #lists = new Map<Ticker, ListedContracts>()
  readonly #scratch = new TabSeparatedBytes()

  /**
   * Appends the row of a snapshot and returns its contract list. Throws if the chain's contracts are not sorted as
   * `assertSorted` requires, because their order is not stored.
   */
  encode({ chain, fidelity, missing }: ChainSnapshot, text: TabSeparatedBytes): EncodedList {
    const session = easternDate(chain.asOf)
    const list = this.#listOf(chain, session)
    const { id: series, order } = list
    const snapshot = beingEncoded(chain, { fidelity, missing, session, series, order })
    for (const [k, { write }] of snapshotColumns.entries()) {
      if (k > 0) text.tab()
      write(snapshot, text)
    }
    text.endRow()
    return list
  }

  #listOf(chain: Chain, session: IsoDate): EncodedList {
    const { symbol, expirations, strike, right, openInterest } = chain
    const held = this.#lists.get(symbol)
    this.#lists.delete(symbol)
    const list =
      held !== undefined && isListOf(held, chain, session)
        ? held
        : {
            ...this.#encodedList(chain, session),
            session,
            expirations,
            strike: strike.slice(),
            right: right.slice(),
            openInterest: openInterest.slice()
          }
    this.#lists.set(symbol, list)
    if (this.#lists.size > MAX_LISTS) this.#lists.delete(this.#lists.keys().next().value!)
    return list
  }

  #encodedList(chain: Chain, session: IsoDate): EncodedList {
    assertSorted(chain)
    const order = archiveOrder(chain.expirations, chain.right)
    const text = this.#scratch
    text.clear()
    for (const [k, { write }] of contractListColumns.entries()) {
      if (k > 0) text.tab()
      write({ chain, order }, text)
    }
    const contracts = text.take()
    const id = createHash('sha256').update(contracts).digest('hex').slice(0, 24)
    for (const field of [textField(chain.symbol), session, id]) {
      text.text(field)
      text.tab()
    }
    text.append(contracts)
    text.endRow()
    return { id, key: contractListKey(chain.symbol, session, id), order, row: text.take() }
  }
}

/** Encodes the content of a snapshot, except its contracts, as columns of numbers. Throws if it is not sorted. */
export function encodeColumns(chain: Chain, order: Uint32Array): SnapshotColumns {
  assertSorted(chain)
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

function isListOf(
  list: ListedContracts,
  { expirations, strike, right, openInterest }: Chain,
  session: IsoDate
): boolean {
  return (
    list.session === session &&
    areEqual(list.strike, strike) &&
    areEqual(list.right, right) &&
    areEqual(list.openInterest, openInterest) &&
    list.expirations.length === expirations.length &&
    list.expirations.every(({ date, root, settlement, start, end }, k) => {
      const other = expirations[k]
      return (
        date === other.date &&
        root === other.root &&
        settlement === other.settlement &&
        start === other.start &&
        end === other.end
      )
    })
  )
}

function areEqual<Column extends Float64Array | Int32Array | Uint8Array>(one: Column, other: Column): boolean {
  if (one.length !== other.length) return false
  for (let k = 0; k < one.length; k++) if (one[k] !== other[k]) return false
  return true
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
