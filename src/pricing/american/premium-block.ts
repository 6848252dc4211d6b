import { BLOCK } from '../stages.ts'

/** Where a contract lies: exercised at once, its premium in the grid, its premium gone, or off the grid. */
export const EXERCISED = 0
export const HELD = 1
export const GONE = 2
export const OFF_GRID = 3

// Scratch of one block. On the way in: x = ln(S/K) of the put that a contract stands for, and σ.
export const logSpot = new Float64Array(BLOCK)
export const volatility = new Float64Array(BLOCK)
// On the way out: the place, and where it is HELD the premium in units of the strike and its derivatives; 0 elsewhere.
export const place = new Uint8Array(BLOCK)
export const value = new Float64Array(BLOCK)
export const spotSlope = new Float64Array(BLOCK)
export const spotCurve = new Float64Array(BLOCK)
export const spotThird = new Float64Array(BLOCK)
export const sigmaSlope = new Float64Array(BLOCK)
export const crossSlope = new Float64Array(BLOCK)
