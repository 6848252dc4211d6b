import {
  crossSlope,
  logSpot,
  place,
  sigmaSlope,
  spotCurve,
  spotSlope,
  spotThird,
  value,
  volatility
} from '../premium-block.ts'
import type { PremiumGrid } from '../premium-grid.ts'
import { gridKernels } from './grid-kernels.ts'

/** Whether there is room for a grid. */
export function isRoomToRead({ premium, width }: PremiumGrid): boolean {
  const { columns } = gridKernels()
  return premium.length <= columns.premium.length && width.length <= columns.width.length
}

/** `readPlainValues` in WebAssembly. */
export function readQuickValues(grid: PremiumGrid, count: number): void {
  const { columns, places, readValues } = load(grid)
  readValues(count, grid.low, grid.high, grid.spotPatches, grid.sigmaPatches)
  place.set(places)
  value.set(columns.value)
  sigmaSlope.set(columns.sigmaSlope)
}

/** `readPlainPremiums` in WebAssembly. */
export function readQuickPremiums(grid: PremiumGrid, count: number): void {
  const { columns, places, readPremiums } = load(grid)
  readPremiums(count, grid.low, grid.high, grid.spotPatches, grid.sigmaPatches)
  place.set(places)
  value.set(columns.value)
  spotSlope.set(columns.spotSlope)
  spotCurve.set(columns.spotCurve)
  spotThird.set(columns.spotThird)
  sigmaSlope.set(columns.sigmaSlope)
  crossSlope.set(columns.crossSlope)
}

/** The coefficients that the memory holds: contracts of one right follow each other. */
let loaded: Float32Array | undefined

function load({ boundary, width, premium }: PremiumGrid) {
  const kernels = gridKernels()
  const { columns } = kernels
  if (loaded !== premium) {
    columns.boundary.set(boundary)
    columns.width.set(width)
    columns.premium.set(premium)
    loaded = premium
  }
  columns.logSpot.set(logSpot)
  columns.volatility.set(volatility)
  return kernels
}
