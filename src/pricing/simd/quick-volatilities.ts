import type { ForwardTerms } from '../implied-volatility.ts'
import { plainVolatilities } from '../plain-volatilities.ts'
import { quickKernels } from './kernels.ts'
import { putOptions, takeAnswers } from './option-block.ts'

/** `impliedVolatilities` in WebAssembly. What that refuses is left to `plainVolatilities`, to which all of it is equal. */
export function quickVolatilities(
  terms: ForwardTerms,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  start: number,
  end: number,
  out: Float64Array
): void {
  const kernels = quickKernels()
  const { forward, discount, t } = terms
  const perRootT = t > 0 ? 1 / Math.sqrt(t) : Number.NaN
  for (let from = start; from < end; from += kernels.block) {
    const count = Math.min(kernels.block, end - from)
    putOptions(kernels, strike, right, price, from, count)
    const refused = kernels.fillVolatilities(count, forward, discount, perRootT)
    takeAnswers(kernels, 0, out, from, count)
    if (refused > 0) fillRefused(kernels.refused, terms, strike, right, price, from, from + count, out)
  }
}

/** Neighbours that are refused go together. */
function fillRefused(
  mark: number,
  terms: ForwardTerms,
  strike: Float64Array,
  right: Uint8Array,
  price: Float64Array,
  from: number,
  to: number,
  out: Float64Array
): void {
  for (let i = from; i < to; i++) {
    if (out[i] !== mark) continue
    const start = i
    while (i < to && out[i] === mark) i++
    plainVolatilities(terms, strike, right, price, start, i, out)
  }
}
