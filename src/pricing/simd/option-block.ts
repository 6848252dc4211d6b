import type { Kernels } from './kernels.ts'

/** Numbers that are sooner copied one by one. */
const FEW = 16

/** Puts options into the block of the kernels; beside an odd last one stands an option without price or volatility. */
export function putOptions(
  kernels: Kernels,
  strike: Float64Array,
  right: Uint8Array,
  given: Float64Array,
  from: number,
  count: number
): void {
  copy(strike, from, kernels.strike, 0, count)
  copy(right, from, kernels.right, 0, count)
  copy(given, from, kernels.given, 0, count)
  if (count % 2 === 1) kernels.given[count] = Number.NaN
}

/** Takes a column of answers into `out` from `from` on. */
export function takeAnswers(
  { answers }: Kernels,
  column: number,
  out: Float64Array,
  from: number,
  count: number
): void {
  copy(answers[column], 0, out, from, count)
}

function copy<Column extends Float64Array | Uint8Array>(
  source: Column,
  from: number,
  target: Column,
  at: number,
  count: number
): void {
  if (count > FEW) target.set(source.subarray(from, from + count), at)
  else for (let k = 0; k < count; k++) target[at + k] = source[from + k]
}
