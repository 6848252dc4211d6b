import Type from 'typebox'
import {
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
import { atTheMoney } from '../../../exposure/at-the-money.ts'
import { netGex } from '../../../exposure/by-strike.ts'
import { gammaAcceleration, netTheta, sevenDayScope } from '../../../exposure/decay.ts'
import { keyLevels } from '../../../exposure/levels.ts'
import { maxPain } from '../../../exposure/max-pain.ts'
import { netExposures } from '../../../exposure/net.ts'
import { pinRisk, topStrikesShare } from '../../../exposure/pin-risk.ts'
import { quarterDeltaSkew } from '../../../exposure/skew.ts'
import { dayShareLeft } from '../../../market/clock.ts'
import {
  charmRegime,
  charmRegimeReading,
  decayReading,
  pinReading,
  vannaRegime,
  volatilityReading
} from '../../../wording/zero-dte.ts'
import { block } from './block.ts'
import { moveOf } from './dealers.ts'

export const expectedMoveBlock = block(
  Type.Object({
    implied_1sd_dollars: Nullable(Usd('one deviation over a full trading day')),
    implied_1sd_pct: Nullable(Percent()),
    remaining_1sd_dollars: Nullable(Usd('one deviation until this expiration')),
    remaining_1sd_pct: Nullable(Percent()),
    upper_bound: Nullable(Usd('spot plus the remaining move')),
    lower_bound: Nullable(Usd('spot minus the remaining move')),
    straddle_price: Nullable(Usd()),
    atm_iv: Nullable(Volatility('a fraction'))
  }),
  (scope) => {
    const { spot } = scope.chain
    const move = moveOf(scope)
    const money = atTheMoney(scope)
    return {
      implied_1sd_dollars: move?.fullDay,
      implied_1sd_pct: move && (100 * move.fullDay) / spot,
      remaining_1sd_dollars: move?.remaining,
      remaining_1sd_pct: move && (100 * move.remaining) / spot,
      upper_bound: move && spot + move.remaining,
      lower_bound: move && spot - move.remaining,
      straddle_price: money?.straddle,
      atm_iv: money?.sigma
    }
  }
)

export const pinRiskBlock = block(
  Type.Object({
    magnet_strike: Nullable(Price()),
    magnet_gex: Nullable(Notional()),
    distance_to_magnet_pct: Nullable(Percent()),
    pin_score: Score(),
    components: Type.Object({ oi_score: Score(), proximity_score: Score(), time_score: Score(), gamma_score: Score() }),
    max_pain: Nullable(Price()),
    oi_concentration_top3_pct: Nullable(Percent()),
    description: Sentence()
  }),
  (scope) => {
    const { chain, expirations } = scope
    const { magnet } = keyLevels(scope)
    const sameDay = chain.carries[expirations[0]].days === 0
    const elapsed = sameDay ? 100 * (1 - dayShareLeft(chain.asOf)) : 0
    const risk = pinRisk(scope, { strike: magnet?.strike, reach: 0.01, elapsed })
    const distance = magnet && (100 * Math.abs(chain.spot - magnet.strike)) / chain.spot
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
      description: pinReading(Math.round(risk.score), magnet?.strike, distance)
    }
  }
)

export const decayBlock = block(
  Type.Object({
    net_theta_dollars: Nullable(Usd('holder side, per calendar day')),
    theta_per_hour_remaining: Nullable(Usd()),
    charm_regime: Words('time_decay_dealers_buy', 'time_decay_dealers_sell', 'neutral'),
    charm_description: Sentence(),
    gamma_acceleration: Nullable(Ratio('at-the-money gamma over that of the seven-day expiration')),
    description: Sentence()
  }),
  (scope, hoursLeft: number) => {
    const { chex } = netExposures(scope)
    const theta = netTheta(scope)
    const perHour = theta === undefined || hoursLeft === 0 ? undefined : theta / hoursLeft
    const acceleration = gammaAcceleration(scope)
    return {
      net_theta_dollars: theta,
      theta_per_hour_remaining: perHour,
      charm_regime: charmRegime(chex),
      charm_description: charmRegimeReading(charmRegime(chex), chex),
      gamma_acceleration: acceleration,
      description: decayReading(theta, perHour, acceleration)
    }
  }
)

export const volContextBlock = block(
  Type.Object({
    zero_dte_atm_iv: Nullable(Percent()),
    seven_dte_atm_iv: Nullable(Percent()),
    iv_ratio_0dte_7dte: Nullable(Ratio()),
    vix: Nullable(IndexPoints()),
    skew_25d: Nullable(Percent('put minus call volatility at 25 delta, vol points')),
    vanna_exposure: Notional(),
    vanna_interpretation: Words('vol_up_dealers_buy', 'vol_up_dealers_sell', 'neutral'),
    description: Sentence()
  }),
  (scope, vix: number | undefined) => {
    const seven = sevenDayScope(scope.chain)
    const today = atTheMoney(scope)?.sigma
    const week = seven && atTheMoney(seven)?.sigma
    const ratio = today && week && today / week
    const { vex } = netExposures(scope)
    return {
      zero_dte_atm_iv: today && 100 * today,
      seven_dte_atm_iv: week && 100 * week,
      iv_ratio_0dte_7dte: ratio,
      vix,
      skew_25d: quarterDeltaSkew(scope),
      vanna_exposure: vex,
      vanna_interpretation: vannaRegime(vex),
      description: volatilityReading(today && 100 * today, week && 100 * week, ratio)
    }
  }
)
