import { ApiError } from 'gammawall/client'
import type { Covered } from './covered-days.ts'
import { send } from './send.ts'

const asked = new Map<string, Promise<readonly Covered[]>>()

/**
 * Sessions of a symbol that can be replayed, ascending; empty if it was never recorded. Each symbol is requested once.
 * Throws ApiError.
 */
export function coveredOf(symbol: string): Promise<readonly Covered[]> {
  const kept = asked.get(symbol)
  if (kept !== undefined) return kept
  const found = send('GET', `/replay/v1/tickers?symbol=${encodeURIComponent(symbol)}`).then(
    (answer) => (answer as { readonly fidelity: readonly Covered[] }).fidelity,
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'no_coverage') return []
      asked.delete(symbol)
      throw error
    }
  )
  asked.set(symbol, found)
  return found
}

/** Makes the next call request again, since sessions may have been recorded meanwhile. */
export function forgetCovered(): void {
  asked.clear()
}
