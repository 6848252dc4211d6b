import { latestSession } from '../market/calendar.ts'
import { type Chain, UNKNOWN } from '../market/chain.ts'
import { isMarketOpen } from '../market/clock.ts'
import { eachShared } from '../market/shared-contracts.ts'
import { type Check, doubted } from './candidate.ts'

/**
 * Share of the traded contracts whose volume may be less than before: within a session it only grows, but for busted trades.
 */
const MAX_FALLEN = 0.1
/** Volume of a contract that counts, and the number of such contracts that it takes. */
const COUNTED = 10
const ENOUGH = 50
/** A factor that trading does not give to all contracts at once, how near they must lie to it, and which share of them. */
const MIN_FACTOR = 3
const NEAR = 0.05
const MIN_ALIKE = 0.9

/** Doubts volume that fell within a session, or that is a multiple of what it was in all contracts alike. */
export const volume: Check = ({ chain, held }) => {
  if (held === undefined || held.source !== chain.source) return undefined
  if (!isMarketOpen(held.asOf) || !isMarketOpen(chain.asOf)) return undefined
  if (latestSession(held.asOf).date !== latestSession(chain.asOf).date) return undefined
  let [counted, fallen, before, after] = [0, 0, 0, 0]
  eachCounted(held, chain, (was, is) => {
    counted++
    if (is < was) fallen++
    before += was
    after += is
  })
  if (counted < ENOUGH) return undefined
  if (fallen > MAX_FALLEN * counted) {
    return doubted('volume', `the volume of ${fallen} of ${counted} contracts fell within a session`)
  }
  if (after < (MIN_FACTOR * before) / 2) return undefined
  const factors: number[] = []
  eachCounted(held, chain, (was, is) => factors.push(is / was))
  const factor = factors.sort((a, b) => a - b)[factors.length >> 1]
  if (factor < MIN_FACTOR) return undefined
  const alike = factors.filter((each) => Math.abs(each / factor - 1) <= NEAR).length
  if (alike < MIN_ALIKE * factors.length) return undefined
  return doubted('volume', `its volume is ${factor.toPrecision(2)} times what it was, in ${alike} contracts alike`)
}

function eachCounted(held: Chain, chain: Chain, visit: (was: number, is: number) => void): void {
  eachShared(held, chain, (i, k) => {
    if (held.volume[i] >= COUNTED && chain.volume[k] !== UNKNOWN) visit(held.volume[i], chain.volume[k])
  })
}
