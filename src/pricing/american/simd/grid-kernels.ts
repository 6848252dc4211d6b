import { instantiate } from '../../../market/web-assembly.ts'
import { FRACTIONS } from '../../../math/exponential.ts'
import { BLOCK } from '../../stages.ts'
import { NORMAL_SERIES } from '../normal-table.ts'
import { wasm } from './grids.wasm.ts'

// WebAssembly SIMD makes grids in two thirds of the time that plain JavaScript takes, or less (`npm run bench -- american`).
// What it has to agree with, to the last bit, are `plainEquations`, `plainPremiums`, `plainPatches`, `readPlainPremiums` and
// `fillPlainEuropeans`: test/pricing/american/simd compares them.

/** Fewer contracts than these are sooner computed where they are than put into the memory and taken out of it. */
export const MIN_BLOCK = 8

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
  patches: 36 * 72,
  boundary: 36,
  width: 36,
  premium: 60 * 42,
  logSpot: BLOCK,
  volatility: BLOCK,
  value: BLOCK,
  spotSlope: BLOCK,
  spotCurve: BLOCK,
  spotThird: BLOCK,
  sigmaSlope: BLOCK,
  crossSlope: BLOCK,
  moneyness: BLOCK,
  strike: BLOCK,
  price: BLOCK,
  upper: BLOCK,
  excess: BLOCK,
  vega: BLOCK
} as const

type Column = keyof typeof columnLengths

interface Functions {
  fillEquations(points: number, inner: number, sigma: number, logAtExpiry: number): void
  fillPremiums(row: number, count: number, outer: number): void
  fillOverSpot(spotRows: number, spotCount: number, sigmaCount: number): void
  fillPatches(row: number, count: number, sigmaCount: number, sigmaRows: number): void
  readValues(count: number, low: number, high: number, spotPatches: number, sigmaPatches: number): void
  readPremiums(count: number, low: number, high: number, spotPatches: number, sigmaPatches: number): void
  fillEuropeans(count: number, sign: number, spotPart: number, discount: number, rootT: number, isFirst: boolean): void
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
  Readonly<Record<Column | Bound | 'series' | 'fractions' | 'place', Global>> & {
    readonly memory: { readonly buffer: ArrayBuffer }
  }

/** The kernels of a thread, and the columns that they work on. */
export interface GridKernels extends Functions {
  readonly columns: Readonly<Record<Column, Float64Array>>
  /** Where contracts lie, see premium-block.ts. */
  readonly places: Uint8Array
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
  const { memory, fillEquations, fillPremiums, fillOverSpot, fillPatches, readValues, readPremiums, fillEuropeans } =
    module
  const column = ({ value }: Global, length: number) => new Float64Array(memory.buffer, value, length)
  column(module.series, NORMAL_SERIES.length).set(NORMAL_SERIES)
  column(module.fractions, FRACTIONS.length).set(FRACTIONS)
  const places = new Uint8Array(memory.buffer, module.place.value, BLOCK)
  const columns = Object.fromEntries(
    Object.entries(columnLengths).map(([name, length]) => [name, column(module[name as Column], length)])
  ) as Record<Column, Float64Array>
  const most = Object.fromEntries(bounds.map((name) => [name, module[name].value])) as Record<Bound, number>
  return {
    fillEquations,
    fillPremiums,
    fillOverSpot,
    fillPatches,
    readValues,
    readPremiums,
    fillEuropeans,
    columns,
    places,
    most
  }
}
