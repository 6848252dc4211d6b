import { instantiate } from '../../market/web-assembly.ts'
import { ERFCX_BODY, ERFCX_SLOPE_BODY, ERFCX_SLOPE_TAIL, ERFCX_TAIL } from '../../math/erfcx-table.ts'
import { FRACTIONS } from '../../math/exponential.ts'
import { guessTable } from '../volatility-guess.ts'
import { wasm } from './kernels.wasm.ts'

// Why this folder: WebAssembly SIMD computes two options at a time. Implied volatility takes half of the time that the plain
// kernel needs, greeks take a third (`npm run bench -- kernels`). `--plain` switches it off. What it has to agree with, to
// the last bit, are `plainVolatilities` and `fillAllPlainGreeks`: test/pricing/simd compares them.

interface Global {
  readonly value: number
}

/** What `kernels.as.ts` exports, where it is said what each of them is. Addresses are bytes of its memory. */
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

/** The kernels of a thread, and the block of options that they work on. */
export interface Kernels extends Pick<Exports, 'fillVolatilities' | 'fillGreeks'> {
  readonly block: number
  readonly refused: number
  readonly strike: Float64Array
  /** Prices or volatilities. */
  readonly given: Float64Array
  readonly right: Uint8Array
  readonly answers: readonly Float64Array[]
}

const ANSWERS = 15

let kernels: Kernels | undefined

/** Made when a thread first needs them. */
export function quickKernels(): Kernels {
  kernels ??= makeKernels()
  return kernels
}

function makeKernels(): Kernels {
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
