import { apiError } from '../../api/error.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import { type After, endsWithin } from '../../facts/bounded-wait.ts'
import { FIRST_CHAIN_WAIT, NEWER_CHAIN_WAIT, RECORDED_CHAIN_WAIT } from '../../facts/freshness.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { LastRecorded } from './last-recorded.ts'
import type { LiveSymbol } from './live-symbol.ts'

/** Reloads in the background: returns the newer chain if it arrives shortly, else the loaded one. */
export function newerChain(
  chain: PricedChain,
  { cell, held, loadingSince }: LiveSymbol,
  { wallNow, after }: { readonly wallNow: () => Instant; readonly after: After }
): MaybePromise<PricedChain> {
  const wasLoading = cell.isLoading
  const loading = cell.load()
  loading.catch(() => {})
  const passed = wasLoading ? Math.max(0, wallNow() - loadingSince) : 0
  if (passed >= NEWER_CHAIN_WAIT) return chain
  return endsWithin(loading, NEWER_CHAIN_WAIT - passed, after).then(() => held.chain ?? chain)
}

/**
 * Waits for the first load of a symbol. If it fails or takes too long, returns the last recorded chain. Throws if there
 * is none.
 */
export async function firstChain(
  live: LiveSymbol,
  { lastRecorded, after }: { readonly lastRecorded: Pick<LastRecorded, 'hold'>; readonly after: After }
): Promise<PricedChain | undefined> {
  const { symbol, cell, held } = live
  const loading = cell.load()
  if (!(await endsWithin(loading, FIRST_CHAIN_WAIT, after))) {
    await endsWithin(lastRecorded.hold(live), RECORDED_CHAIN_WAIT, after)
    if (held.chain !== undefined) return held.chain
    throw unavailable(symbol, `the data source has not answered within ${FIRST_CHAIN_WAIT / 1000} seconds`)
  }
  try {
    await loading
  } catch (error) {
    if (held.chain !== undefined) return held.chain
    throw error instanceof SourceError ? unavailable(symbol, error.message) : error
  }
  if (held.chain === undefined && cell.failures > 0) throw unavailable(symbol, 'the data source does not respond')
  return held.chain
}

export const unavailable = (symbol: Ticker, reason: string) =>
  apiError('source_unavailable', `${symbol} cannot be loaded: ${reason}; try again shortly`)
