import { apiError } from '../../api/error.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import type { Instant, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { type After, endsWithin } from '../bounded-wait.ts'
import type { LiveSymbol } from './live-symbol.ts'

/**
 * How long a caller is kept for a newer chain than the one that is held, milliseconds from the moment its load began: a
 * quick source keeps to the plan's freshness that way, and one that hangs holds up nobody.
 */
const MAX_WAIT_FOR_NEWER = 50
/** How long a caller waits where nothing is held, milliseconds. */
const MAX_WAIT_FOR_FIRST = 3000

/** Lets the one reload go on behind the chain that is held, which serves unless a newer one is there in a moment. */
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

/** Waits for the one load of a symbol of which nothing is held. Throws where it brings nothing in time. */
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

/** Whether a load has been under way for longer than any caller waits. */
export function isWaitedForInVain({ cell, loadingSince }: LiveSymbol, now: Instant): boolean {
  return cell.isLoading && now - loadingSince >= MAX_WAIT_FOR_FIRST
}

/** The refusal of a symbol that cannot be loaded, with the reason. */
export const unavailable = (symbol: Ticker, reason: string) =>
  apiError('source_unavailable', `${symbol} cannot be loaded: ${reason}; try again shortly`)
