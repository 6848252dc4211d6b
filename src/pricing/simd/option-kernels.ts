import { ERFCX_BODY, ERFCX_SLOPE_BODY, ERFCX_SLOPE_TAIL, ERFCX_TAIL } from '../../math/erfcx-table.ts'
import { FRACTIONS } from '../../math/exponential.ts'
import { instantiate } from '../../memory/web-assembly.ts'
import { guessTable } from '../volatility-guess.ts'
import { wasm } from './options.wasm.ts'

// WebAssembly SIMD computes two options at a time. Implied volatilities take half of the time of the equivalent
// JavaScript, greeks a third (Node 20).

interface Global {
  readonly value: number
}

/**
 * Exports of options.as.ts, which documents them. Globals are byte addresses in the module's memory, except BLOCK,
 * COLUMN_BYTES and REFUSED.
 */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly BLOCK: Global
  readonly COLUMN_BYTES: Global
  readonly REFUSED: Global
  readonly erfcxBody: Global
  readonly erfcxSlopeBody: Global
  readonly erfcxTail: Global
  readonly erfcxSlopeTail: Global
  readonly fractions: Global
  readonly guesses: Global
  readonly strike: Global
  readonly given: Global
  readonly right: Global
  readonly answers: Global
  setGuessGrid(leastY: number, nodesPerY: number, nodesPerV: number): void
  fillVolatilities(count: number, forward: number, discount: number, perRootT: number): number
  fillGreeks(
    count: number,
    spot: number,
    t: number,
    rate: number,
    dividendYield: number,
    rootT: number,
    carried: number,
    discount: number,
    forward: number,
    timeUnit: number,
    pointUnit: number,
    all: boolean
  ): void
}

export interface OptionKernels extends Pick<Exports, 'fillVolatilities' | 'fillGreeks'> {
  readonly block: number
  /** Value that the kernel returns in place of a volatility that it could not find. */
  readonly refused: number
  readonly strike: Float64Array
  readonly given: Float64Array
  readonly right: Uint8Array
  readonly answers: readonly Float64Array[]
}

const ANSWERS = 15
const FEW = 16

let kernels: OptionKernels | undefined

/** The WebAssembly kernels of this thread. They are instantiated when first used. */
export function optionKernels(): OptionKernels {
  kernels ??= makeKernels()
  return kernels
}

function makeKernels(): OptionKernels {
  const module = instantiate(wasm) as Exports
  const { memory, fillVolatilities, fillGreeks } = module
  const block = module.BLOCK.value
  const column = (at: number, length: number) => new Float64Array(memory.buffer, at, length)
  const write = ({ value }: Global, table: Float64Array) => column(value, table.length).set(table)
  write(module.erfcxBody, ERFCX_BODY)
  write(module.erfcxSlopeBody, ERFCX_SLOPE_BODY)
  write(module.erfcxTail, ERFCX_TAIL)
  write(module.erfcxSlopeTail, ERFCX_SLOPE_TAIL)
  write(module.fractions, FRACTIONS)
  const { nodes, leastY, nodesPerY, nodesPerV } = guessTable()
  write(module.guesses, nodes)
  module.setGuessGrid(leastY, nodesPerY, nodesPerV)
  const { answers, COLUMN_BYTES } = module
  return {
    fillVolatilities,
    fillGreeks,
    block,
    refused: module.REFUSED.value,
    strike: column(module.strike.value, block),
    given: column(module.given.value, block),
    right: new Uint8Array(memory.buffer, module.right.value, block),
    answers: Array.from({ length: ANSWERS }, (_, k) => column(answers.value + k * COLUMN_BYTES.value, block))
  }
}

/**
 * Copies options into the memory of the kernels. Options are computed in pairs, so an odd last option is followed by a
 * dummy without price or volatility.
 */
export function loadOptions(
  kernels: OptionKernels,
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

export function copyAnswers(
  { answers }: OptionKernels,
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
