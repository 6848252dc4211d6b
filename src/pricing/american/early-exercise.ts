import { CALL, PUT } from '../../market/chain.ts'
import type { GreekColumns, SpotTerms } from '../greeks.ts'
import {
  type ContractBlock,
  contractBlock,
  EXERCISED,
  gatherRight,
  OFF_TABLE,
  type OffTable,
  TABULATED
} from './contract-block.ts'
import { exactPremium, type SpotPremium } from './exact-premium.ts'
import { type PremiumTables, readPremiums, readPremiumValues } from './premium-table.ts'
import { BLOCK } from './simd/premium-kernels.ts'
import { patchShapes } from './yield/patch-shape.ts'

const PER_DAY = 1 / 365
const PER_POINT = 0.01
const OFF_TABLE_SHAPE = patchShapes.LONG_DATED.boundary
const SIGMA_STEP = 0.01

/**
 * Fills `out` with the early-exercise premiums of contracts `start` to `end`, all of one expiration, USD per share. A
 * premium is the American price minus the European price at the same volatility. It is 0 if exercise is never worth it
 * or if the right has two boundaries. It is NaN if the contract has no volatility or is worth exercising at once.
 */
export function fillPremiums(
  terms: SpotTerms,
  tables: PremiumTables,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: Float64Array,
  offTable: OffTable = 'exact'
): void {
  const { spot } = terms
  const block = contractBlock()
  const { slot, place, value } = block
  for (let i = start; i < end; i++) out[i] = sigma[i] > 0 ? 0 : Number.NaN
  for (let from = start; from < end; from += BLOCK) {
    for (let flag = CALL; flag <= PUT; flag++) {
      const table = flag === CALL ? tables.call : tables.put
      if (table.exercise !== 'below') continue
      const to = Math.min(from + BLOCK, end)
      const count = gatherRight(block, table, offTable, flag, spot, strike, right, sigma, from, to)
      readPremiumValues(table, count)
      for (let q = 0; q < count; q++) {
        const i = slot[q]
        if (place[q] === TABULATED) out[i] = (flag === CALL ? spot : strike[i]) * value[q]
        else if (place[q] === EXERCISED) out[i] = Number.NaN
        else if (place[q] === OFF_TABLE) out[i] = offTablePremium(terms, flag, strike[i], sigma[i])?.value ?? Number.NaN
      }
    }
  }
}

/**
 * Adds the effect of early exercise to the greeks that `fillGreeks` computed for European options. A contract that is
 * exercised at once moves with its underlying alone: its delta is 1 or -1, all its other greeks are 0.
 * Theta of the premium follows from the Black-Scholes equation, which the premium satisfies; charm follows from the
 * derivative of that equation in spot. Rho stays the European one, since its correction would need further tables. If a
 * right has two exercise boundaries, all its greeks stay European.
 */
export function addEarlyExercise(
  terms: SpotTerms,
  tables: PremiumTables,
  strike: Float64Array,
  right: Uint8Array,
  sigma: Float64Array,
  start: number,
  end: number,
  out: GreekColumns,
  offTable: OffTable = 'exact'
): void {
  const block = contractBlock()
  for (let from = start; from < end; from += BLOCK) {
    for (let flag = CALL; flag <= PUT; flag++) {
      const table = flag === CALL ? tables.call : tables.put
      if (table.exercise !== 'below') continue
      const to = Math.min(from + BLOCK, end)
      const count = gatherRight(block, table, offTable, flag, terms.spot, strike, right, sigma, from, to)
      readPremiums(table, count)
      if (flag === CALL) addCallPremiums(terms, block, count, out)
      else addPutPremiums(terms, block, strike, count, out)
      settleOthers(terms, block, flag, strike, sigma, count, out)
    }
  }
}

/**
 * Adds the effect of early exercise to the greeks of puts. The premium of a put is K P(ln S/K), where P is the
 * tabulated premium.
 */
function addPutPremiums(
  terms: SpotTerms,
  block: ContractBlock,
  strike: Float64Array,
  count: number,
  out: GreekColumns
): void {
  const { slot, place, volatility, value, spotSlope, spotCurve, spotThird, sigmaSlope, crossSlope } = block
  const { spot, rate, dividendYield } = terms
  const { delta, gamma, theta, vega, vanna, charm } = out
  const carry = rate - dividendYield
  const perSpot = 1 / spot
  for (let q = 0; q < count; q++) {
    if (place[q] !== TABULATED) continue
    const i = slot[q]
    const k = strike[i] * perSpot
    const bend = spotCurve[q] - spotSlope[q]
    const d = k * spotSlope[q]
    const g = k * bend
    const z = k * (spotThird[q] - spotCurve[q] - 2 * bend)
    const half = 0.5 * volatility[q] * volatility[q]
    delta[i] += d
    gamma[i] += g * perSpot
    theta[i] += PER_DAY * (rate * strike[i] * value[q] - spot * (carry * d + half * g))
    vega[i] += PER_POINT * strike[i] * sigmaSlope[q]
    vanna[i] += k * crossSlope[q]
    charm[i] += PER_DAY * (rate * d - carry * (d + g) - half * (2 * g + z))
  }
}

/**
 * Adds the effect of early exercise to the greeks of calls. The premium of a call is S P(ln K/S), where P is the
 * tabulated premium.
 */
function addCallPremiums(terms: SpotTerms, block: ContractBlock, count: number, out: GreekColumns): void {
  const { slot, place, volatility, value, spotSlope, spotCurve, spotThird, sigmaSlope, crossSlope } = block
  const { spot, rate, dividendYield } = terms
  const { delta, gamma, theta, vega, vanna, charm } = out
  const carry = rate - dividendYield
  const perSpot = 1 / spot
  for (let q = 0; q < count; q++) {
    if (place[q] !== TABULATED) continue
    const i = slot[q]
    const d = value[q] - spotSlope[q]
    const g = spotCurve[q] - spotSlope[q]
    const z = spotSlope[q] - spotThird[q]
    const half = 0.5 * volatility[q] * volatility[q]
    delta[i] += d
    gamma[i] += g * perSpot
    theta[i] += PER_DAY * spot * (rate * value[q] - carry * d - half * g)
    vega[i] += PER_POINT * spot * sigmaSlope[q]
    vanna[i] += sigmaSlope[q] - crossSlope[q]
    charm[i] += PER_DAY * (rate * d - carry * (d + g) - half * (2 * g + z))
  }
}

function settleOthers(
  terms: SpotTerms,
  { slot, place }: ContractBlock,
  flag: number,
  strike: Float64Array,
  sigma: Float64Array,
  count: number,
  out: GreekColumns
): void {
  for (let q = 0; q < count; q++) {
    if (place[q] === EXERCISED) exercise(flag, slot[q], out)
    else if (place[q] === OFF_TABLE) addOffTable(terms, flag, strike[slot[q]], sigma[slot[q]], slot[q], out)
  }
}

function exercise(flag: number, i: number, out: GreekColumns): void {
  out.delta[i] = flag === CALL ? 1 : -1
  out.gamma[i] = 0
  out.theta[i] = 0
  out.vega[i] = 0
  out.rho[i] = 0
  out.vanna[i] = 0
  out.charm[i] = 0
}

function addOffTable(
  terms: SpotTerms,
  flag: number,
  strike: number,
  sigma: number,
  i: number,
  out: GreekColumns
): void {
  const premium = offTablePremium(terms, flag, strike, sigma)
  if (premium === undefined) {
    exercise(flag, i, out)
    return
  }
  const { spot, rate, dividendYield } = terms
  const carry = rate - dividendYield
  const { value, delta, gamma, speed } = premium
  const low = offTablePremium(terms, flag, strike, sigma * (1 - SIGMA_STEP)) ?? premium
  const high = offTablePremium(terms, flag, strike, sigma * (1 + SIGMA_STEP)) ?? premium
  const half = 0.5 * sigma * sigma
  out.delta[i] += delta
  out.gamma[i] += gamma
  out.theta[i] += PER_DAY * (rate * value - carry * spot * delta - half * spot * spot * gamma)
  out.vega[i] += (PER_POINT * (high.value - low.value)) / (2 * SIGMA_STEP * sigma)
  out.vanna[i] += (high.delta - low.delta) / (2 * SIGMA_STEP * sigma)
  out.charm[i] += PER_DAY * (rate * delta - carry * (delta + spot * gamma) - half * spot * (2 * gamma + spot * speed))
}

function offTablePremium(terms: SpotTerms, flag: number, strike: number, sigma: number): SpotPremium | undefined {
  const premium = exactPremium({ ...terms, right: flag === CALL ? 'call' : 'put', strike, sigma }, OFF_TABLE_SHAPE)
  return premium === 'exercised' ? undefined : premium
}
