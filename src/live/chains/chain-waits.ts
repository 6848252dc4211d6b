import { apiError } from '../../api/error.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type After, endsWithin } from '../bounded-wait.ts'
import type { LiveSymbol } from './live-symbol.ts'

/**
 * How long a request waits for a newer chain than the loaded one, milliseconds from the start of the load: with a fast
 * source this meets the plan's freshness, and a hanging source delays nobody.
 */
const MAX_WAIT_FOR_NEWER = 50
/** How long a request waits if no chain is loaded, milliseconds. */
const MAX_WAIT_FOR_FIRST = 3000

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
  if (passed >= MAX_WAIT_FOR_NEWER) return chain
  return endsWithin(loading, MAX_WAIT_FOR_NEWER - passed, after).then(() => held.chain ?? chain)
}

/** Waits for the first load of a symbol. Throws if it fails or takes too long. */
export async function firstChain({ symbol, cell, held }: LiveSymbol, after: After): Promise<PricedChain | undefined> {
  const loading = cell.load()
  if (!(await endsWithin(loading, MAX_WAIT_FOR_FIRST, after))) {
    throw unavailable(symbol, `the data source has not answered within ${MAX_WAIT_FOR_FIRST / 1000} seconds`)
  }
  try {
    await loading
  } catch (error) {
    throw error instanceof SourceError ? unavailable(symbol, error.message) : error
  }
  if (held.chain === undefined && cell.failures > 0) throw unavailable(symbol, 'the data source does not answer')
  return held.chain
}

/** Whether a load has been running for longer than any request waits. */
export function isWaitedForInVain({ cell, loadingSince }: LiveSymbol, now: Instant): boolean {
  return cell.isLoading && now - loadingSince >= MAX_WAIT_FOR_FIRST
}

export const unavailable = (symbol: Ticker, reason: string) =>
  apiError('source_unavailable', `${symbol} cannot be loaded: ${reason}; try again shortly`)
