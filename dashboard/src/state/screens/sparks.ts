import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { ApiError } from 'gammawall/client'
import { ask } from '../service/ask.ts'
import { isCounted } from '../service/freshness.ts'

/** Prices of the day by symbol, oldest first. */
export const sparks = signal<ReadonlyMap<string, readonly number[]>>(new Map())

/** How long rows must rest before their lines are requested, milliseconds. */
const REST = 500
/** After so many refusals in a row nothing seems to be recorded, and requests stop. */
const REFUSALS = 3

const asked = new Set<string>()
let refusals = 0

/**
 * Requests the price lines of visible rows, one at a time and each symbol once. Does nothing if the plan counts
 * requests.
 */
export function startSparks(inSight: ReadonlySignal<readonly string[]>): () => void {
  const gaveUp = new AbortController()
  let rest: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  const next = () => inSight.peek().find((symbol) => !asked.has(symbol))

  async function fill(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (let symbol = next(); symbol !== undefined; symbol = next()) {
      if (isCounted() || refusals >= REFUSALS || gaveUp.signal.aborted) break
      asked.add(symbol)
      await draw(symbol)
    }
    isBusy = false
  }

  async function draw(symbol: string): Promise<void> {
    try {
      const params = { symbol, fields: 'underlying_price', every: '5m' } as const
      const { answer } = await ask('/v1/series/{symbol}', params, { at: undefined, signal: gaveUp.signal })
      const prices = (answer.columns['underlying_price'] ?? []).filter((each) => each !== null)
      if (prices.length > 1) sparks.value = new Map(sparks.peek()).set(symbol, prices)
      refusals = 0
    } catch (error) {
      if (gaveUp.signal.aborted) asked.delete(symbol)
      else if (error instanceof ApiError) refusals = error.status === 404 ? refusals + 1 : REFUSALS
      else throw error
    }
  }

  const stop = effect(() => {
    void inSight.value
    clearTimeout(rest)
    rest = setTimeout(() => void fill(), REST)
  })
  return () => {
    stop()
    clearTimeout(rest)
    gaveUp.abort()
  }
}
