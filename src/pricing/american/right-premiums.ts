import { type ContractBlock, contractBlock, EXERCISED, HELD, OFF_GRID } from './contract-block.ts'
import { boundaryAt, type DividendPremiums, premiumAt } from './dividend-premiums.ts'
import type { DividendTables } from './held-dividend-premiums.ts'
import { type PremiumGrid, type PremiumGrids, readGrid, readGridValues } from './premium-grid.ts'

/** The premiums of one right of an expiration: a grid where the yield is continuous, a table where dividends are known. */
export type RightPremiums = PremiumGrid | DividendPremiums

/** Those of both rights. */
export type Premiums = PremiumGrids | DividendTables

/** Whether premiums are those of discrete dividends. */
export function isTables(premiums: Premiums): premiums is DividendTables {
  return 'weights' in premiums.put
}

/** Reads the premiums of the first `count` entries of the contract block, all of one right. */
export function readPremiums(premiums: RightPremiums, count: number): void {
  if ('weights' in premiums) readTable(premiums, contractBlock(), count)
  else readGrid(premiums, count)
}

/** The same for `place`, `value` and `sigmaSlope` alone; what the other derivatives hold then means nothing. */
export function readValues(premiums: RightPremiums, count: number): void {
  if ('weights' in premiums) readTable(premiums, contractBlock(), count)
  else readGridValues(premiums, count)
}

/** What `leastValue` takes for the premiums of a right: pairs of the shares received and given. */
export function leastShares(premiums: RightPremiums): Float64Array {
  return 'deep' in premiums ? premiums.deep : atOnce
}

/** The least that an option is worth whatever its volatility, by what its holder receives and gives at exercise, USD. */
export function leastValue(shares: Float64Array, received: number, given: number): number {
  let best = 0
  for (let k = 0; k < shares.length; k += 2) best = Math.max(best, received * shares[k] - given * shares[k + 1])
  return best
}

const atOnce = Float64Array.of(1, 1)

const out = new Float64Array(6)

/** A volatility beyond those of a table has the premium of the nearest of them. */
function readTable(table: DividendPremiums, block: ContractBlock, count: number): void {
  const { low, high } = table
  const { volatility, logSpot, place, value, spotSlope, spotCurve, spotThird, sigmaSlope, crossSlope } = block
  for (let q = 0; q < count; q++) {
    const sigma = Math.min(Math.max(volatility[q], low), high)
    const isKnown = sigma >= low
    if (isKnown && logSpot[q] > boundaryAt(table, sigma)) {
      place[q] = HELD
      premiumAt(table, logSpot[q], sigma, out)
    } else {
      place[q] = isKnown ? EXERCISED : OFF_GRID
      out.fill(0)
    }
    const isCovered = sigma === volatility[q]
    value[q] = out[0]
    spotSlope[q] = out[1]
    spotCurve[q] = out[2]
    spotThird[q] = out[3]
    sigmaSlope[q] = isCovered ? out[4] : 0
    crossSlope[q] = isCovered ? out[5] : 0
  }
}
