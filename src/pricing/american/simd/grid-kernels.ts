import { instantiate } from '../../../market/web-assembly.ts'
import { NORMAL_SERIES } from '../normal-table.ts'
import { wasm } from './grids.wasm.ts'

// Grids in WebAssembly SIMD take half of the time that they take in plain JavaScript (`npm run bench -- american`), and the
// first ones of a process no longer than later ones. What they have to agree with, to the last bit, are `plainEquations`,
// `plainPremiums` and `plainPatches`: test/pricing/american/simd compares them.

interface Global {
  readonly value: number
}

/** Columns of the memory, by their length; `grids.as.ts` says what each of them is. */
const columnLengths = {
  rootTau: 8,
  carryTau: 8,
  discountTau: 8,
  carriedTau: 8,
  depth: 8,
  rootU: 64,
  perRootU: 64,
  carryU: 64,
  interestU: 64,
  dividendU: 64,
  rows: 512,
  turnedRows: 512,
  quotient: 8,
  jacobian: 64,
  total: 32,
  perTotal: 32,
  offset: 32,
  interest: 32,
  dividend: 32,
  logSpots: 30,
  spots: 30,
  spotMatrix: 29 * 70,
  sigmaMatrix: 21 * 36,
  samples: 21 * 29,
  overSpot: 72 * 21,
  patches: 36 * 72
} as const

type Column = keyof typeof columnLengths

interface Functions {
  fillEquations(points: number, inner: number, sigma: number, logAtExpiry: number): void
  fillPremiums(row: number, count: number, outer: number): void
  fillOverSpot(spotRows: number, spotCount: number, sigmaCount: number): void
  fillPatches(overRows: number, sigmaCount: number, sigmaRows: number): void
}

const bounds = [
  'MOST_POINTS',
  'MOST_INNER',
  'MOST_OUTER',
  'MOST_SPOTS',
  'MOST_SIGMAS',
  'MOST_SPOT_ROWS',
  'MOST_SIGMA_ROWS'
] as const

type Bound = (typeof bounds)[number]
type Exports = Functions &
  Readonly<Record<Column | Bound | 'series', Global>> & { readonly memory: { readonly buffer: ArrayBuffer } }

/** The kernels of a thread, and the columns that they work on. */
export interface GridKernels extends Functions {
  readonly columns: Readonly<Record<Column, Float64Array>>
  /** The largest shapes that there is room for. */
  readonly most: Readonly<Record<Bound, number>>
}

let kernels: GridKernels | undefined

/** Made when a thread first needs them. */
export function gridKernels(): GridKernels {
  kernels ??= makeKernels()
  return kernels
}

function makeKernels(): GridKernels {
  const module = instantiate(wasm) as Exports
  const { memory, fillEquations, fillPremiums, fillOverSpot, fillPatches } = module
  const column = ({ value }: Global, length: number) => new Float64Array(memory.buffer, value, length)
  column(module.series, NORMAL_SERIES.length).set(NORMAL_SERIES)
  const columns = Object.fromEntries(
    Object.entries(columnLengths).map(([name, length]) => [name, column(module[name as Column], length)])
  ) as Record<Column, Float64Array>
  const most = Object.fromEntries(bounds.map((name) => [name, module[name].value])) as Record<Bound, number>
  return { fillEquations, fillPremiums, fillOverSpot, fillPatches, columns, most }
}
