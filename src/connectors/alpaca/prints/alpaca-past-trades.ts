import { easternDate } from '../../../market/eastern.ts'
import type { TapeMessage } from '../../port/prints/print-feed.ts'
import { SourceError } from '../../port/source-error.ts'
import type { PastAsked } from '../../whole-market/market-feed.ts'
import { tapeBatches } from '../../whole-market/tape-batches.ts'
import { alpacaReader } from '../alpaca-fields.ts'
import type { AlpacaRest } from '../alpaca-rest.ts'
import { snapshotRequest } from '../chains/alpaca-chain-loader.ts'
import { readSnapshots } from '../chains/alpaca-snapshot.ts'
import { type AlpacaTrade, alpacaTradeFrom, readAlpacaTrade } from './alpaca-trade.ts'

export interface AlpacaPastOptions extends PastAsked {
  readonly rest: AlpacaRest
  readonly feed: string
}

const TOGETHER = 100
/**
 * Maximum number of trades held in memory. All are needed at once to sort them by time; the vendor sorts by contract.
 */
const MAX_TRADES = 500_000

/**
 * Yields past trades of a symbol in part of a session. The vendor lists trades only by contract: we find in the chain's
 * snapshot which contracts traded since `from`, then request their trades.
 */
export async function* alpacaPastTrades(options: AlpacaPastOptions): AsyncGenerator<readonly TapeMessage[]> {
  const { symbol, signal, onRefused } = options
  if (options.to <= options.from) return
  const contracts = await tradedContracts(options)
  const trades: AlpacaTrade[] = []
  for (let from = 0; from < contracts.length; from += TOGETHER) {
    signal.throwIfAborted()
    await readTrades(contracts.slice(from, from + TOGETHER), options, trades)
  }
  trades.sort((a, b) => a.time - b.time)
  yield* tapeBatches(trades, symbol, readAlpacaTrade, onRefused)
}

/** Finds the contracts whose last trade is not before `from`. */
async function tradedContracts({ rest, feed, symbol, from, signal }: AlpacaPastOptions): Promise<readonly string[]> {
  const contracts: string[] = []
  for await (const page of rest.pages(snapshotRequest(symbol, feed, easternDate(from)), signal)) {
    for (const { occ, trade } of readSnapshots(page)) {
      if (trade !== undefined && trade.time >= Math.floor(from)) contracts.push(occ)
    }
  }
  return contracts
}

async function readTrades(
  contracts: readonly string[],
  options: AlpacaPastOptions,
  trades: AlpacaTrade[]
): Promise<void> {
  const { rest, symbol, from, to, signal, onRefused } = options
  const [start, end] = [from, to].map((instant) => new Date(instant).toISOString())
  const query = { symbols: contracts.join(), start, end, limit: '10000', sort: 'asc' }
  for await (const page of rest.pages({ of: 'data', path: '/v1beta1/options/trades', query }, signal)) {
    const listed = alpacaReader.object(page, 'trades')
    for (const contract of Object.keys(listed)) {
      for (const row of alpacaReader.list(listed, contract) ?? []) {
        const trade = alpacaTradeFrom(contract, alpacaReader.element(row, contract))
        if (typeof trade === 'string') onRefused(trade)
        else if (trade.time >= from && trade.time < to) trades.push(trade)
      }
    }
    if (trades.length > MAX_TRADES) {
      const sentence = `what ${symbol} traded is more than ${MAX_TRADES} prints, too many to be read again`
      throw new SourceError('unavailable', sentence)
    }
  }
}
