import type { Chain } from '../market/chain.ts'
import { isMarketOpen } from '../market/clock.ts'
import { easternDate } from '../market/eastern.ts'
import { type ImpliedSpot, impliedSpot, type ParityValue, parityValues } from '../market/implied-spot.ts'
import { isVolatilityIndex, securityKind } from '../market/security.ts'
import { MILLISECONDS_PER_MINUTE } from '../market/units.ts'
import { type Check, doubted, type Objection } from './candidate.ts'

// Spot and options of one chain are read at slightly different moments. At the closes of eleven recorded sessions of
// SPY and SPX, whose options trade 15 minutes longer, they lay up to 0.35 % apart.

/**
 * Distance that spot may always lie outside the prices implied by its options, as a fraction: while options trade, and
 * while the market is closed.
 */
const FLOOR_OPEN = 0.0075
const FLOOR_CLOSED = 0.015
/** Further distance below spot for a first chain of a stock or fund: a dividend before its nearest expiration. */
const DIVIDEND = 0.03
/** Largest move of spot that options need not confirm, as a fraction. */
const MAX_SPOT_JUMP = 0.15
/** Largest move of a symbol without options, such as an index of one-day volatility: nothing could confirm it that day. */
const MAX_LEVEL_JUMP = 0.4
/**
 * Allowed change of the distance between a volatility index and the futures its options are on: up to a share of the
 * futures' own move beyond a base, which is larger if time has passed.
 */
const FUTURES_BASE_SOON = 0.05
const FUTURES_BASE = 0.15
const FUTURES_SHARE = 1.5
const SOON = 5 * MILLISECONDS_PER_MINUTE

/** Doubts a spot that its own options contradict, or that jumped where no options tell. */
export const spotAgainstOptions: Check = ({ chain, held }) => {
  const values = parityValues(chain)
  const bounds = impliedSpot(values)
  if (bounds === undefined) return held && jumpWithoutOptions(chain, held)
  if (isVolatilityIndex(chain.symbol)) return held && awayFromFutures(chain, held, values)
  const isOpen = isMarketOpen(chain.asOf)
  if (held === undefined && !isOpen) return undefined
  const floor = isOpen ? FLOOR_OPEN : FLOOR_CLOSED
  const dividend = held === undefined && securityKind(chain.symbol) !== 'index' ? DIVIDEND : 0
  if (chain.spot >= bounds.low * (1 - floor) && chain.spot <= bounds.high * (1 + floor + dividend)) return undefined
  if (held !== undefined && isSameGap(chain, held, values, floor)) return undefined
  return doubted('spot_off_options', `its spot is ${chain.spot} where its options say ${boundsText(bounds)}`)
}

const boundsText = ({ low, high }: ImpliedSpot) => `${low.toFixed(2)} to ${high.toFixed(2)}`

/**
 * Whether spot lies as far from the parity of an expiration as in the held chain: then the distance is the carry of
 * that expiration, such as a dividend before it.
 */
function isSameGap(chain: Chain, held: Chain, values: readonly ParityValue[], floor: number): boolean {
  const before = new Map(parityValues(held).map((value) => [value.expiration, value]))
  return values.some(({ expiration, value, error }) => {
    const then = before.get(expiration)
    if (then === undefined) return false
    const change = Math.log(chain.spot / value) - Math.log(held.spot / then.value)
    return Math.abs(change) <= floor + error / value + then.error / then.value
  })
}

function awayFromFutures(chain: Chain, held: Chain, values: readonly ParityValue[]): Objection | undefined {
  const before = new Map(parityValues(held).map((value) => [value.expiration, value]))
  const value = values.find(({ expiration }) => before.has(expiration))
  if (value === undefined) return undefined
  const then = before.get(value.expiration)!
  const futuresMove = Math.log(value.value / then.value)
  const change = Math.log(chain.spot / held.spot) - futuresMove
  const base = chain.asOf - held.asOf <= SOON ? FUTURES_BASE_SOON : FUTURES_BASE
  const most = base + FUTURES_SHARE * Math.abs(futuresMove) + value.error / value.value + then.error / then.value
  if (Math.abs(change) <= most) return undefined
  const message = `it went from ${held.spot} to ${chain.spot} while its options moved from ${then.value} to ${value.value}`
  return doubted('spot_off_options', message)
}

/** A jump that no options tell about. Without any options listed, nothing but the next session can tell. */
function jumpWithoutOptions(chain: Chain, held: Chain): Objection | undefined {
  const isLevel = chain.size === 0 && held.size === 0
  if (Math.abs(chain.spot / held.spot - 1) <= (isLevel ? MAX_LEVEL_JUMP : MAX_SPOT_JUMP)) return undefined
  if (isLevel && easternDate(chain.asOf) > easternDate(held.asOf)) return undefined
  return doubted('spot_jump', `spot went from ${held.spot} to ${chain.spot} and no options tell whether it did`)
}
