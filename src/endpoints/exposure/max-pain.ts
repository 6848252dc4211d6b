import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import {
  Contracts,
  Day,
  Days,
  Level,
  Nullable,
  Percent,
  Price,
  Ratio,
  Score,
  Sentence,
  Usd,
  Words
} from '../../api/quantity.ts'
import { atTheMoney } from '../../exposure/at-the-money.ts'
import { sumOf } from '../../exposure/by-strike.ts'
import { dealerAlignment } from '../../exposure/dealer-alignment.ts'
import { gammaFlip } from '../../exposure/gamma-flip.ts'
import { keyLevels } from '../../exposure/levels.ts'
import { heldStrikes, maxPain as maxPainOf, openInterestOf, painCurve, totalPain } from '../../exposure/max-pain.ts'
import { pinRisk } from '../../exposure/pin-risk.ts'
import { gammaRegime } from '../../exposure/regime.ts'
import { expiringScope, liveOn, liveScope, type Scope } from '../../exposure/scope.ts'
import { dayShareLeft, daysToExpiry } from '../../market/clock.ts'
import type { IsoDate } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { alignmentReading } from '../../wording/max-pain.ts'
import { scoped, scopeFor } from './scoped.ts'

type Direction = 'above' | 'below' | 'at'

export const maxPain = endpoint({
  id: 'maxpain.current',
  path: '/v1/maxpain/{symbol}',
  tag: 'exposure',
  summary: 'Max pain with dealer overlay',
  plan: 'basic',
  needs: ['chain'],
  params: scoped,
  replay: true,
  stream: true,
  response: Type.Object({
    ...envelope,
    max_pain_strike: Price('strike at which option holders are paid least'),
    distance: Type.Object({
      absolute: Usd('|spot - max pain|'),
      percent: Percent('of spot'),
      direction: Words('above', 'below', 'at')
    }),
    signal: Words('bullish', 'bearish', 'neutral'),
    expiration: Day('the filter, else the nearest live expiration'),
    put_call_oi_ratio: Nullable(Ratio()),
    pain_curve: Type.Array(Type.Object({ strike: Price(), call_pain: Usd(), put_pain: Usd(), total_pain: Usd() }), {
      minItems: 1
    }),
    oi_by_strike: Type.Array(
      Type.Object({
        strike: Price(),
        call_oi: Contracts(),
        put_oi: Contracts(),
        total_oi: Contracts(),
        call_volume: Contracts(),
        put_volume: Contracts()
      }),
      { minItems: 1 }
    ),
    max_pain_by_expiration: Nullable(
      Type.Array(Type.Object({ expiration: Day(), max_pain_strike: Price(), dte: Days(), total_oi: Contracts() }))
    ),
    dealer_alignment: Type.Object({
      alignment: Words('converging', 'moderate', 'diverging', 'unknown'),
      description: Sentence(),
      gamma_flip: Nullable(Level()),
      call_wall: Nullable(Price()),
      put_wall: Nullable(Price())
    }),
    regime: Words('positive_gamma', 'negative_gamma'),
    expected_move: Type.Object({
      straddle_price: Nullable(Usd()),
      atm_iv: Nullable(Percent()),
      max_pain_within_expected_range: Nullable(Type.Boolean())
    }),
    pin_probability: Score()
  }),
  answer: ({ chain }, { expiration }) => {
    const scope = scopeFor(chain, expiration)
    const strike = maxPainOf(scope)
    if (strike === undefined) throw apiError('no_data', `no open interest in ${chain.symbol} in this scope`)
    const { spot } = chain
    const nearest = expiration ?? chain.expirations[scope.expirations[0]].date
    const money = atTheMoney(expiringScope(chain, nearest))
    const held = heldStrikes(scope)
    const calls = sumOf(held, (row) => row.callOi)
    const distance = Math.abs(spot - strike)
    const direction = directionOf(spot, strike)
    const levels = keyLevels(scope)
    const flip = gammaFlip(scope)
    const walls = { callWall: levels.callWall?.strike, putWall: levels.putWall?.strike }
    const alignment = dealerAlignment(strike, spot, { flip, ...walls })
    const regime = gammaRegime(scope)
    return {
      ...header(chain),
      max_pain_strike: strike,
      distance: { absolute: distance, percent: (100 * distance) / spot, direction },
      signal: signalOf(direction, (100 * distance) / spot),
      expiration: nearest,
      put_call_oi_ratio: calls === 0 ? undefined : sumOf(held, (row) => row.putOi) / calls,
      pain_curve: painCurve(scope).map((point) => ({
        strike: point.strike,
        call_pain: point.callPain,
        put_pain: point.putPain,
        total_pain: totalPain(point)
      })),
      oi_by_strike: held.map((row) => ({
        strike: row.strike,
        call_oi: row.callOi,
        put_oi: row.putOi,
        total_oi: row.callOi + row.putOi,
        call_volume: row.callVolume,
        put_volume: row.putVolume
      })),
      max_pain_by_expiration: expiration === undefined ? byExpiration(chain) : undefined,
      dealer_alignment: {
        alignment,
        description: alignmentReading(alignment, strike, flip),
        gamma_flip: flip,
        call_wall: walls.callWall,
        put_wall: walls.putWall
      },
      regime: regime === 'undetermined' ? 'positive_gamma' : regime,
      expected_move: {
        straddle_price: money?.straddle,
        atm_iv: money?.sigma && 100 * money.sigma,
        max_pain_within_expected_range: money && distance <= money.straddle
      },
      pin_probability: pinProbability(scope, strike, nearest, money?.straddle)
    }
  }
})

/** Half a cent from max pain is at it. */
function directionOf(spot: number, strike: number): Direction {
  if (Math.abs(spot - strike) < 0.005) return 'at'
  return spot > strike ? 'above' : 'below'
}

function signalOf(direction: Direction, percent: number): 'bullish' | 'bearish' | 'neutral' {
  if (percent < 5 || direction === 'at') return 'neutral'
  return direction === 'below' ? 'bullish' : 'bearish'
}

/** Proximity reaches as far as the straddle says price may travel, and time counts down from thirty days. */
function pinProbability(scope: Scope, strike: number, date: IsoDate, straddle: number | undefined): number {
  const { asOf, spot } = scope.chain
  const reach = straddle === undefined ? 0.05 : Math.max(0.01, straddle / spot)
  const elapsed = 100 * Math.max(0, 1 - (daysToExpiry(asOf, date) + dayShareLeft(asOf)) / 30)
  return pinRisk(scope, { strike, reach, elapsed }).score
}

function byExpiration(chain: PricedChain) {
  const dates = new Set(liveScope(chain).expirations.map((at) => chain.expirations[at].date))
  return [...dates].flatMap((date) => {
    const scope = liveOn(chain, date)
    const strike = maxPainOf(scope)
    if (strike === undefined) return []
    const total = openInterestOf(scope)
    return [{ expiration: date, max_pain_strike: strike, dte: daysToExpiry(chain.asOf, date), total_oi: total }]
  })
}
