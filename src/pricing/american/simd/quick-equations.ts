import type { BoundarySystem } from '../boundary.ts'
import type { BoundaryTables } from '../boundary-tables.ts'
import { type GridKernels, gridKernels } from './grid-kernels.ts'

/** The system whose columns the memory holds: Newton's rounds follow each other on one. */
let loaded: BoundarySystem | undefined

/** `plainEquations` in WebAssembly; answers false, and does nothing, where there is no room for the shape. */
export function quickEquations(system: BoundarySystem, sigma: number, depth: Float64Array): boolean {
  const kernels = gridKernels()
  const { tables, logAtExpiry } = system
  const { points, inner, scratch } = tables
  const { columns, most } = kernels
  if (points > most.MOST_POINTS || inner > most.MOST_INNER) return false
  if (loaded !== system) load(kernels, system)
  for (let i = 0; i < points; i++) columns.depth[i] = depth[i]
  kernels.fillEquations(points, inner, sigma, logAtExpiry)
  const { jacobian, residual } = scratch
  for (let k = 0; k < jacobian.length; k++) jacobian[k] = columns.jacobian[k]
  for (let i = 0; i < points; i++) residual[i] = Math.log(columns.quotient[i]) - (logAtExpiry - depth[i])
  return true
}

function load({ columns }: GridKernels, system: BoundarySystem): void {
  if (loaded?.tables !== system.tables) loadRows(columns, system.tables)
  columns.rootTau.set(system.rootTau)
  columns.carryTau.set(system.carryTau)
  columns.discountTau.set(system.discountTau)
  columns.carriedTau.set(system.carriedTau)
  columns.rootU.set(system.rootU)
  columns.perRootU.set(system.perRootU)
  columns.carryU.set(system.carryU)
  columns.interestU.set(system.interest)
  columns.dividendU.set(system.dividend)
  loaded = system
}

/** Rows, and rows turned, of an even length. */
function loadRows({ rows, turnedRows }: GridKernels['columns'], { points, inner, innerRows }: BoundaryTables): void {
  const all = points * inner
  const [width, height] = [points + (points % 2), all + (all % 2)]
  for (let at = 0; at < all; at++) {
    for (let k = 0; k < points; k++) {
      rows[at * width + k] = innerRows[at * points + k]
      turnedRows[k * height + at] = innerRows[at * points + k]
    }
  }
}
