import { MICROSECONDS_PER_MILLISECOND } from '../../../market/print.ts'
import type { Instant } from '../../../market/units.ts'
import { allOrAbort } from '../../port/http/all-or-abort.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import type { TapeMessage } from '../../port/prints/print-feed.ts'
import { SourceError } from '../../port/source-error.ts'
import type { PastAsked } from '../../whole-market/market-feed.ts'
import { tapeBatches } from '../../whole-market/tape-batches.ts'
import { massiveReader } from '../chains/massive-snapshot.ts'
import type { MassiveRest } from '../massive-rest.ts'
import { massiveName, occOfMassive } from '../massive-symbols.ts'
import { type MassiveTradeNames, massiveTradeFrom } from './massive-frame.ts'
import { type MassiveTrade, readMassiveTrade } from './massive-trade.ts'

export interface MassivePastOptions extends PastAsked {
  readonly rest: MassiveRest
}

const NANOSECONDS_PER_MILLISECOND = 1000 * MICROSECONDS_PER_MILLISECOND
/**
 * Nanoseconds added to a trade time. JSON.parse rounds such large numbers to the nearest 256, so a trade on a whole
 * millisecond may seem to lie just before it. Its time would then differ from the stream's, and the trade would be on
 * the tape twice.
 */
const ROUNDING = 256
const AT_ONCE = 8
/**
 * Maximum number of trades held in memory. All are needed at once to sort them by time; the vendor sorts by contract.
 */
const MAX_TRADES = 500_000

/**
 * Yields past trades of a symbol in part of a session. The vendor lists trades only by contract: we find in the chain's
 * snapshot which contracts traded since `from`, then request their trades.
 */
export async function* massivePastTrades(options: MassivePastOptions): AsyncGenerator<readonly TapeMessage[]> {
  const { symbol, signal, onRefused } = options
  const contracts = await tradedContracts(options)
  const trades: MassiveTrade[] = []
  const waiting = contracts.values()
  await allOrAbort(signal, (either) =>
    Array.from({ length: AT_ONCE }, async () => {
      for (const contract of waiting) await readTrades(contract, { ...options, signal: either }, trades)
    })
  )
  trades.sort((a, b) => a.time - b.time)
  yield* tapeBatches(trades, symbol, readMassiveTrade, onRefused)
}

/**
 * Finds the contracts whose last trade is not before `from`. Contracts without a last trade in the snapshot count if
 * they have volume that day.
 */
async function tradedContracts({ rest, symbol, from, signal }: MassivePastOptions): Promise<readonly string[]> {
  const contracts: string[] = []
  const path = `/v3/snapshot/options/${encodeURIComponent(massiveName(symbol))}?limit=250&order=asc&sort=ticker`
  for await (const rows of rest.pages(path, signal)) {
    for (const row of rows) {
      const fields = massiveReader.element(row, 'results')
      if (fields['error'] !== undefined) continue
      const contract = occOfMassive(massiveReader.text(massiveReader.object(fields, 'details'), 'ticker'))
      const mayHave = fields['last_trade'] === undefined ? hasVolume(fields) : isTradedSince(fields, from)
      if (contract !== undefined && mayHave) contracts.push(contract)
    }
  }
  return contracts
}

const isTradedSince = (fields: VendorFields, from: Instant) =>
  massiveReader.number(massiveReader.object(fields, 'last_trade'), 'sip_timestamp') >= nanoseconds(from)

/** Whether a contract has volume on its snapshot's day; the vendor sends an empty object for a day without trades. */
function hasVolume(fields: VendorFields): boolean {
  const day = massiveReader.object(fields, 'day')
  return Object.keys(day).length > 0 && massiveReader.numberOrNone(day, 'volume') > 0
}

async function readTrades(contract: string, options: MassivePastOptions, trades: MassiveTrade[]): Promise<void> {
  const { rest, from, to, signal, onRefused, symbol } = options
  const stretch = `timestamp.gte=${nanoseconds(from)}&timestamp.lt=${nanoseconds(to)}`
  const path = `/v3/trades/${encodeURIComponent(`O:${contract}`)}?${stretch}&order=asc&sort=timestamp&limit=50000`
  for await (const rows of rest.pages(path, signal)) {
    for (const row of rows) {
      const trade = massiveTradeInAnswer(row, contract)
      if (typeof trade === 'string') onRefused(trade)
      else if (trade.time >= from && trade.time < to) trades.push(trade)
    }
    if (trades.length > MAX_TRADES) {
      throw new SourceError(
        'unavailable',
        `what ${symbol} traded is more than ${MAX_TRADES} prints, too many to be read again`
      )
    }
  }
}

const inAnswers: MassiveTradeNames = {
  time: 'sip_timestamp',
  price: 'price',
  size: 'size',
  exchange: 'exchange',
  conditions: 'conditions'
}

/**
 * Reads a row of `/v3/trades`. Rows with a `correction` mark trades changed later and are refused, because the vendor
 * does not document the change for options.
 */
export function massiveTradeInAnswer(row: unknown, contract: string): MassiveTrade | string {
  const { sip_timestamp: time, price, size, exchange, conditions, correction = 0 } = fieldsOf(row)
  if (correction !== 0) return 'a trade that was corrected (correction)'
  const milliseconds = typeof time === 'number' ? (time + ROUNDING) / NANOSECONDS_PER_MILLISECOND : undefined
  return massiveTradeFrom(
    { contract, time: milliseconds, price, size, exchange, conditions, sequence: undefined },
    inAnswers
  )
}

/**
 * Converts an instant to the vendor's nanoseconds, rounded down to a whole millisecond: numbers this large cannot hold
 * single nanoseconds.
 */
const nanoseconds = (instant: Instant) => Math.floor(instant) * NANOSECONDS_PER_MILLISECOND

function fieldsOf(value: unknown): VendorFields {
  return typeof value === 'object' && value !== null ? (value as VendorFields) : {}
}
