import { createHash } from 'node:crypto'
import type { Chain } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { UnwritableSnapshot } from '../error.ts'
import type { ChainSnapshot } from '../store.ts'
import { archiveOrder, bidLevels, encodeBids, encodePrices, type OddPrices, unitOf } from './prices.ts'
import { array, float, instant, quoted, row, text } from './tab-separated.ts'

/**
 * A snapshot as rows of the archive. What the contracts are and how many are open changes rarely within a session, so
 * it is a row of its own, named by its content, and shared by all snapshots that find it unchanged.
 */
export interface EncodedSnapshot {
  /** Names the series row in the whole archive. */
  readonly seriesKey: string
  /** Rows in the order of `seriesColumns` and `snapshotColumns`. */
  readonly seriesRow: string
  readonly snapshotRow: string
}

export const seriesColumns = [
  'symbol',
  'session',
  'id',
  'expiration',
  'root',
  'settlement',
  'contracts',
  'strike',
  'right',
  'open_interest'
] as const

export const snapshotColumns = [
  'symbol',
  'ts',
  'session',
  'series',
  'header',
  'fidelity',
  'missing',
  'bid_bends',
  'spread',
  'last',
  'bid_size',
  'ask_size',
  'volume',
  'odd_slot',
  'odd_price'
] as const

/** What names a contract list; `id` follows from its content. */
export function seriesKey(symbol: Ticker, session: IsoDate, id: string): string {
  return `${symbol} ${session} ${id}`
}

/** Writes a snapshot as rows. Throws where the chain is not sorted as every chain is, since its order is not stored. */
export function encodeSnapshot({ chain, fidelity, missing }: ChainSnapshot): EncodedSnapshot {
  const { symbol, expirations, right, bid, ask, last, quote } = chain
  const order = archiveOrder(expirations, right)
  assertSorted(chain)
  const session = easternDate(chain.asOf)
  const contracts = row([
    array(expirations.map((listed) => quoted(listed.date))),
    array(expirations.map((listed) => quoted(listed.root))),
    array(expirations.map((listed) => quoted(listed.settlement))),
    array(expirations.map(({ start, end }) => end - start)),
    array(Array.from(order, (slot) => float(chain.strike[slot]))),
    array(permuted(right, order)),
    array(permuted(chain.openInterest, order))
  ])
  const series = createHash('sha256').update(contracts).digest('hex').slice(0, 24)

  const odd: OddPrices = { slot: [], price: [] }
  const [unit, lastUnit] = [unitOf(bid, ask), unitOf(last)]
  const differences = encodeBids(bid, order, unit, odd)
  const spread = encodePrices(ask, order, unit, odd, 1, bidLevels(differences))
  const lasts = encodePrices(last, order, lastUnit, odd, 2)
  // In the order of `headerFields`.
  const header = [
    chain.delay,
    chain.spot,
    quote.bid ?? Number.NaN,
    quote.ask ?? Number.NaN,
    quote.last,
    wholeInstant(quote.time),
    unit,
    lastUnit
  ]
  const snapshotRow = row([
    text(symbol),
    instant(wholeInstant(chain.asOf)),
    session,
    series,
    array(header.map(float)),
    fidelity,
    array(missing.map(quoted)),
    array(differences),
    array(spread),
    array(lasts),
    array(permuted(chain.bidSize, order)),
    array(permuted(chain.askSize, order)),
    array(permuted(chain.volume, order)),
    array(odd.slot),
    array(odd.price.map(float))
  ])
  return {
    seriesKey: seriesKey(symbol, session, series),
    seriesRow: row([text(symbol), session, series, contracts]),
    snapshotRow
  }
}

function permuted<Column extends Int32Array | Uint8Array>(column: Column, order: Uint32Array): Column {
  const moved = column.slice() as Column
  for (let place = 0; place < order.length; place++) moved[place] = column[order[place]]
  return moved
}

function wholeInstant(moment: Instant): Instant {
  if (!Number.isSafeInteger(moment))
    throw new UnwritableSnapshot(`a moment is a whole number of milliseconds, not ${moment}`)
  return moment
}

/** Expirations cover all slots in turn, and within each strikes ascend, the call before the put. */
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
