import Type from 'typebox'
import { block } from '../../../api/block.ts'
import {
  DataScore,
  IndexPoints,
  Notional,
  Nullable,
  Percent,
  Price,
  Ratio,
  Score,
  Sentence,
  Usd,
  Volatility,
  Words
} from '../../../api/quantity.ts'
import { atTheMoney, spotVolatility } from '../../../exposure/at-the-money/at-the-money.ts'
import { impliedMove } from '../../../exposure/at-the-money/implied-move.ts'
import { quarterDeltaSkew } from '../../../exposure/at-the-money/quarter-delta-skew.ts'
import { gammaAcceleration, volatilityContext } from '../../../exposure/at-the-money/seven-day.ts'
import { netGex } from '../../../exposure/by-strike.ts'
import { charmRegime, charmRegimes, vannaRegime, vannaRegimes } from '../../../exposure/hedging.ts'
import { netExposures } from '../../../exposure/net.ts'
import { maxPain } from '../../../exposure/pin/max-pain.ts'
import { magnetPin, topStrikesShare } from '../../../exposure/pin/pin-risk.ts'
import { exposureGap, hasExpired, type Scope } from '../../../exposure/scope.ts'
import { netCharm, netTheta, perHourLeft } from '../../../exposure/time-decay.ts'
import { inPercent, percentOf } from '../../../math/optional.ts'
import { deviationBounds } from '../../../pricing/deviation-bounds.ts'
import { charmOfExpired, decayOfExpired, pinOfExpired, volatilityOfExpired } from '../../../wording/expired.ts'
import { charmReading } from '../../../wording/exposure-readings.ts'
import { decayReading, pinReading, volatilityReading } from '../../../wording/same-day-readings.ts'

export const expectedMoveBlock = block(
  Type.Object(
    {
      implied_1sd_dollars: Nullable(Usd('one deviation over a full trading day')),
      implied_1sd_pct: Nullable(Percent()),
      remaining_1sd_dollars: Nullable(Usd('one deviation until this expiration')),
      remaining_1sd_pct: Nullable(Percent()),
      upper_bound: Nullable(Usd('one deviation of the logarithm above spot')),
      lower_bound: Nullable(Usd('one deviation of the logarithm below spot')),
      straddle_price: Nullable(Usd()),
      atm_iv: Nullable(Volatility('a fraction'))
    },
    { title: 'ZeroDteExpectedMove' }
  ),
  (scope: Scope) => {
    const { spot } = scope.chain
    const move = impliedMove(scope)
    const atm = atTheMoney(scope)
    const bounds = move && deviationBounds(spot, move.remaining / spot)
    return {
      implied_1sd_dollars: move?.fullDay,
      implied_1sd_pct: move && percentOf(move.fullDay, spot),
      remaining_1sd_dollars: move?.remaining,
      remaining_1sd_pct: move && percentOf(move.remaining, spot),
      upper_bound: bounds?.upper,
      lower_bound: bounds?.lower,
      straddle_price: atm?.straddle,
      atm_iv: spotVolatility(scope)
    }
  }
)

export const pinRiskBlock = block(
  Type.Object(
    {
      magnet_strike: Nullable(Price()),
      magnet_gex: Nullable(Notional()),
      distance_to_magnet_pct: Nullable(Percent()),
      pin_score: DataScore(),
      components: Type.Object(
        { oi_score: Score(), proximity_score: Score(), time_score: Score(), gamma_score: Score() },
        { title: 'PinRiskScores' }
      ),
      max_pain: Nullable(Price()),
      oi_concentration_top3_pct: Nullable(Percent()),
      description: Sentence()
    },
    { title: 'ZeroDtePinRisk' }
  ),
  (scope: Scope) => {
    const { magnet, distance, risk } = magnetPin(scope)
    return {
      magnet_strike: magnet?.strike,
      magnet_gex: magnet && netGex(magnet),
      distance_to_magnet_pct: distance,
      pin_score: risk.score,
      components: {
        oi_score: risk.oi,
        proximity_score: risk.proximity,
        time_score: risk.time,
        gamma_score: risk.gamma
      },
      max_pain: maxPain(scope),
      oi_concentration_top3_pct: topStrikesShare(scope, 3),
      description: hasExpired(scope)
        ? pinOfExpired(maxPain(scope))
        : pinReading(Math.round(risk.score), magnet?.strike, distance)
    }
  }
)

export const decayBlock = block(
  Type.Object(
    {
      net_theta_dollars: Nullable(
        Usd('holder side: to the close where the expiration is today, else per calendar day')
      ),
      theta_per_hour_remaining: Nullable(Usd('net_theta_dollars over the hours left')),
      charm_regime: Words(...charmRegimes),
      charm_description: Sentence(),
      gamma_acceleration: Nullable(Ratio('at-the-money gamma over that of the seven-day expiration')),
      description: Sentence()
    },
    { title: 'ZeroDteDecay' }
  ),
  (scope: Scope, hoursLeft: number) => {
    const { chex } = netExposures(scope)
    const theta = netTheta(scope)
    const perHour = perHourLeft(theta, hoursLeft)
    const charm = netCharm(scope)
    const acceleration = gammaAcceleration(scope)
    return {
      net_theta_dollars: theta,
      theta_per_hour_remaining: perHour,
      charm_regime: charmRegime(chex),
      charm_description: hasExpired(scope) ? charmOfExpired : charmReading(charm, exposureGap(scope)),
      gamma_acceleration: acceleration,
      description: hasExpired(scope) ? decayOfExpired : decayReading(theta, perHour, acceleration, charm.span)
    }
  }
)

export const volContextBlock = block(
  Type.Object(
    {
      zero_dte_atm_iv: Nullable(Percent()),
      seven_dte_atm_iv: Nullable(Percent()),
      iv_ratio_0dte_7dte: Nullable(Ratio()),
      vix: Nullable(IndexPoints()),
      skew_25d: Nullable(Percent('put minus call volatility at 25 delta, vol points')),
      vanna_exposure: Notional(),
      vanna_interpretation: Words(...vannaRegimes),
      description: Sentence()
    },
    { title: 'ZeroDteVolatility' }
  ),
  (scope: Scope, vix: number | undefined) => {
    const { here, week, ratio } = volatilityContext(scope)
    const [todayPercent, weekPercent] = [inPercent(here), inPercent(week)]
    const { vex } = netExposures(scope)
    return {
      zero_dte_atm_iv: todayPercent,
      seven_dte_atm_iv: weekPercent,
      iv_ratio_0dte_7dte: ratio,
      vix,
      skew_25d: quarterDeltaSkew(scope),
      vanna_exposure: vex,
      vanna_interpretation: vannaRegime(vex),
      description: hasExpired(scope) ? volatilityOfExpired : volatilityReading(todayPercent, weekPercent, ratio)
    }
  }
)
