import { ApiError } from 'gammawall/client'
import type { Covered } from './covered-days.ts'
import { send } from './send.ts'

const asked = new Map<string, Promise<readonly Covered[]>>()

/**
 * The sessions that the service can replay of a symbol, ascending; none where it never recorded it. Asked once for each
 * symbol, when somebody looks for them. Throws an ApiError.
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

/** Asks anew the next time: sessions were recorded meanwhile. */
export function forgetCovered(): void {
  asked.clear()
}
