import { FRACTIONS } from '../../../math/exponential.ts'
import { NORMAL_SERIES } from '../../../math/normal-table.ts'
import { instantiate } from '../../../memory/web-assembly.ts'
import { wasm } from './premiums.wasm.ts'

/** Largest number of contracts that one call of a kernel handles. */
export const BLOCK = 256

interface Global {
  readonly value: number
}

const columnLengths = {
  rootTau: 16,
  carryTau: 16,
  discountTau: 16,
  carriedTau: 16,
  depth: 16,
  rootU: 512,
  perRootU: 512,
  carryU: 512,
  interestU: 512,
  dividendU: 512,
  rows: 512 * 16,
  turnedRows: 512 * 16,
  quotient: 16,
  jacobian: 256,
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
  readPremiumValues(count: number, low: number, high: number, spotPatches: number, sigmaPatches: number): void
  readPremiums(count: number, low: number, high: number, spotPatches: number, sigmaPatches: number): void
  fillEuropeans(count: number, sign: number, spotPart: number, discount: number, rootT: number, isFirst: boolean): void
}

const limits = [
  'MOST_POINTS',
  'MOST_INNER',
  'MOST_OUTER',
  'MOST_SPOTS',
  'MOST_SIGMAS',
  'MOST_SPOT_ROWS',
  'MOST_SIGMA_ROWS'
] as const

type Limit = (typeof limits)[number]
type Exports = Functions &
  Readonly<Record<Column | Limit | 'series' | 'fractions' | 'place', Global>> & {
    readonly memory: { readonly buffer: ArrayBuffer }
  }

export interface PremiumKernels extends Functions {
  readonly columns: Readonly<Record<Column, Float64Array>>
  /**
   * Position of each contract relative to the table: exercised at once, tabulated, without premium or off the table.
   * See contract-block.ts for the values.
   */
  readonly place: Uint8Array
  readonly limits: Readonly<Record<Limit, number>>
}

let kernels: PremiumKernels | undefined

/** The WebAssembly kernels of this thread. They are instantiated when first used. */
export function premiumKernels(): PremiumKernels {
  kernels ??= makeKernels()
  return kernels
}

function makeKernels(): PremiumKernels {
  const module = instantiate(wasm) as Exports
  const {
    memory,
    fillEquations,
    fillPremiums,
    fillOverSpot,
    fillPatches,
    readPremiumValues,
    readPremiums,
    fillEuropeans
  } = module
  const column = ({ value }: Global, length: number) => new Float64Array(memory.buffer, value, length)
  column(module.series, NORMAL_SERIES.length).set(NORMAL_SERIES)
  column(module.fractions, FRACTIONS.length).set(FRACTIONS)
  const entries = Object.entries(columnLengths).map(([name, length]) => [name, column(module[name as Column], length)])
  return {
    fillEquations,
    fillPremiums,
    fillOverSpot,
    fillPatches,
    readPremiumValues,
    readPremiums,
    fillEuropeans,
    columns: Object.fromEntries(entries) as Record<Column, Float64Array>,
    place: new Uint8Array(memory.buffer, module.place.value, BLOCK),
    limits: Object.fromEntries(limits.map((name) => [name, module[name].value])) as Record<Limit, number>
  }
}
