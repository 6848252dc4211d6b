import { apiError } from '../../api/error.ts'
import { readNumber } from '../../api/number-text.ts'
import type { Ticker } from '../../market/units.ts'

export const MAX_SYMBOLS = 50

/** Parses the list of weights: one number of 0 or more per ticker, not all of them 0. */
function readWeights(list: string, count: number): readonly number[] {
  const weights = list.split(',').map((weight) => readNumber(weight.trim()))
  if (weights.length !== count) {
    throw apiError('weight_count_mismatch', `weights holds ${weights.length} numbers for ${count} symbols`)
  }
  if (weights.some((weight) => weight === undefined || weight < 0)) throw apiError('invalid_weights')
  const sound = weights as readonly number[]
  if (sound.every((weight) => weight === 0)) throw apiError('invalid_weights', 'weights are all 0')
  return sound
}

/**
 * Distinct tickers of a basket with their weights, in order of first mention. Weights of a ticker that is named twice
 * are added.
 */
export function holdings(names: readonly string[], weights: string | undefined): ReadonlyMap<Ticker, number> {
  const each = weights === undefined ? names.map(() => 1) : readWeights(weights, names.length)
  const held = new Map<Ticker, number>()
  names.forEach((name, k) => {
    held.set(name as Ticker, (held.get(name as Ticker) ?? 0) + each[k])
  })
  return held
}
