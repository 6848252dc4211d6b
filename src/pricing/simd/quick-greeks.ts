import { expirationConstants } from '../expiration-constants.ts'
import type { AllGreekColumns, GreekColumns, GreekUnits, SpotTerms } from '../greeks.ts'
import { quickKernels } from './kernels.ts'
import { putOptions, takeAnswers } from './option-block.ts'

/** The order of the columns of answers. */
const chainGreeks = ['delta', 'gamma', 'theta', 'vega', 'rho', 'vanna', 'charm'] as const
const otherColumns = ['price', 'vomma', 'dualDelta', 'speed', 'zomma', 'color', 'ultima', 'veta'] as const
const allColumns = [...chainGreeks, ...otherColumns] as const

/** `fillGreeks` in WebAssembly, equal to `fillPlainGreeks`. */
export function fillQuickGreeks(
  terms: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: GreekColumns
): void {
  fillColumns(
    terms,
    strike,
    right,
    sigma,
    start,
    end,
    chainGreeks.map((name) => out[name]),
    'desk'
  )
}

/** `fillAllGreeks` in WebAssembly, equal to `fillAllPlainGreeks`. */
export function fillAllQuickGreeks(
  terms: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: AllGreekColumns,
  units: GreekUnits
): void {
  fillColumns(
    terms,
    strike,
    right,
    sigma,
    start,
    end,
    allColumns.map((name) => out[name]),
    units
  )
}

function fillColumns(
  terms: SpotTerms,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  columns: readonly Float64Array[],
  units: GreekUnits
): void {
  const kernels = quickKernels()
  const { spot, t, rate, dividendYield, rootT, carried, discount, forward, timeUnit, pointUnit } = expirationConstants(
    terms,
    units
  )
  const all = columns.length > chainGreeks.length
  for (let from = start; from < end; from += kernels.block) {
    const count = Math.min(kernels.block, end - from)
    putOptions(kernels, strike, right, sigma, from, count)
    kernels.fillGreeks(count, spot, t, rate, dividendYield, rootT, carried, discount, forward, timeUnit, pointUnit, all)
    for (let k = 0; k < columns.length; k++) takeAnswers(kernels, k, columns[k], from, count)
  }
}
