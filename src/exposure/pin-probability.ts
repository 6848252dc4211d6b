import { dayShareLeft, daysToExpiry } from '../market/clock.ts'
import type { IsoDate } from '../market/units.ts'
import type { StrikeRow } from './by-strike.ts'
import { keyLevels } from './levels.ts'
import { type PinRisk, pinRisk } from './pin-risk.ts'
import type { Scope } from './scope.ts'

/** Fractions of spot: as far as pull reaches without a straddle, and no less far than this with one. */
const USUAL_REACH = 0.05
const MIN_REACH = 0.01
/** Time begins to count this many days before expiration. */
const COUNTDOWN = 30

interface PinSetting {
  /** The strike that pulls: max pain. */
  readonly strike: number
  /** The expiration that time runs out for. */
  readonly date: IsoDate
  /** What the market says price may travel until then, USD per share. */
  readonly straddle: number | undefined
}

/**
 * How likely a scope's price ends at max pain, 0 to 100 and not rounded. Proximity reaches as far as the straddle says
 * price may travel, and time counts down from thirty days. Source: the wire contract.
 */
export function pinProbability(scope: Scope, setting: PinSetting): number {
  return maxPainPin(scope, setting).score
}

/** The same with its parts. */
export function maxPainPin(scope: Scope, { strike, date, straddle }: PinSetting): PinRisk {
  const { asOf, spot } = scope.chain
  const reach = straddle === undefined ? USUAL_REACH : Math.max(MIN_REACH, straddle / spot)
  const elapsed = 100 * Math.max(0, 1 - (daysToExpiry(asOf, date) + dayShareLeft(asOf)) / COUNTDOWN)
  return pinRisk(scope, { strike, reach, elapsed })
}

/** Pin risk toward the magnet of a scope of one expiration. */
export interface MagnetPin {
  readonly magnet: StrikeRow | undefined
  /** Distance of spot from it, percent of spot, unsigned. */
  readonly distance: number | undefined
  readonly risk: PinRisk
}

/** Proximity reaches one percent of spot, and time counts over the day of expiration alone. Source: the wire contract. */
export function magnetPin(scope: Scope): MagnetPin {
  const { chain, expirations } = scope
  const { magnet } = keyLevels(scope)
  const sameDay = chain.carries[expirations[0]].days === 0
  const elapsed = sameDay ? 100 * (1 - dayShareLeft(chain.asOf)) : 0
  return {
    magnet,
    distance: magnet && (100 * Math.abs(chain.spot - magnet.strike)) / chain.spot,
    risk: pinRisk(scope, { strike: magnet?.strike, reach: MIN_REACH, elapsed })
  }
}
