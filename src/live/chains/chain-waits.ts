import { apiError } from '../../api/error.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import { SourceError } from '../../connectors/port/source-error.ts'
import { type After, endsWithin } from '../../facts/bounded-wait.ts'
import {
  FIRST_CHAIN_WAIT,
  NEWER_CHAIN_WAIT,
  RECORDED_CHAIN_WAIT,
  UNLISTED_CHAIN_WAIT,
  UNLISTED_RECORDED_WAIT
} from '../../facts/freshness.ts'
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

interface FirstWait {
  readonly lastRecorded: Pick<LastRecorded, 'hold'>
  readonly after: After
  /** Whether the symbol is on the list of all that the source has; undefined if no such list is held. */
  readonly isListed: boolean | undefined
}

/**
 * Waits for the first load of a symbol. If it fails or takes too long, returns the last recorded chain. If there is none,
 * throws data_loading while the load goes on, source_unavailable if it failed. Returns undefined for a symbol that the
 * held list lacks.
 */
export async function firstChain(
  live: LiveSymbol,
  { lastRecorded, after, isListed }: FirstWait
): Promise<PricedChain | undefined> {
  const { symbol, cell, held } = live
  const [wait, recordedWait] =
    isListed === false ? [UNLISTED_CHAIN_WAIT, UNLISTED_RECORDED_WAIT] : [FIRST_CHAIN_WAIT, RECORDED_CHAIN_WAIT]
  const loading = cell.load()
  if (!(await endsWithin(loading, wait, after))) {
    await endsWithin(lastRecorded.hold(live), recordedWait, after)
    if (held.chain !== undefined) return held.chain
    if (isListed === false) return undefined
    throw stillLoading(symbol, `the data source has not answered within ${wait / 1000} seconds`)
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
  apiError('source_unavailable', `${symbol} cannot be loaded: ${reason}`)

const stillLoading = (symbol: Ticker, reason: string) =>
  apiError('data_loading', `${symbol} is still being loaded: ${reason}; try again shortly`, {
    loading: `chain of ${symbol}`
  })
