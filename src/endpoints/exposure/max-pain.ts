import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { apiError } from '../../api/error.ts'
import {
  Contracts,
  DataScore,
  Day,
  Days,
  Level,
  Nullable,
  Percent,
  Price,
  Ratio,
  Sentence,
  Usd,
  Words
} from '../../api/quantity.ts'
import { atTheMoney } from '../../exposure/at-the-money/at-the-money.ts'
import { keyLevels } from '../../exposure/levels/key-levels.ts'
import { putCallTotals } from '../../exposure/open-interest/put-call-totals.ts'
import { maxPain as maxPainOf, painBottom, painCurve, painStrikes, totalPain } from '../../exposure/pin/max-pain.ts'
import {
  alignments,
  dealerAlignment,
  maxPainByExpiration,
  painDirections,
  painDistance,
  painSignals
} from '../../exposure/pin/max-pain-signal.ts'
import { pinProbability } from '../../exposure/pin/pin-risk.ts'
import { gammaRegime, regimeOrPositive, regimes } from '../../exposure/regime.ts'
import { datesOf, expiringScope, hasExpired } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { inPercent } from '../../math/optional.ts'
import { alignmentOfExpired } from '../../wording/expired.ts'
import { alignmentReading } from '../../wording/exposure-readings.ts'
import { scopeBlock } from './scope-block.ts'
import { bySet, scopeAsked, scoped } from './scoped.ts'

export const maxPain = endpoint({
  id: 'maxpain.current',
  path: '/v1/maxpain/{symbol}',
  tag: 'exposure',
  summary: 'Max pain with dealer overlay',
  description:
    "The strike at which expiring options pay out least, its curve, and whether dealers' gamma supports it. Read it with `pin_probability` and the expected move, not alone.",
  plan: 'basic',
  needs: ['chain', 'distrust'],
  params: scoped,
  ...bySet,
  replay: true,
  stream: true,
  response: Type.Object({
    ...envelope,
    max_pain_strike: Price('strike at which option holders are paid least'),
    distance: Type.Object(
      {
        absolute: Usd('|spot - max pain|'),
        percent: Percent('of spot'),
        direction: Words(...painDirections)
      },
      { title: 'MaxPainDistance' }
    ),
    signal: Words(...painSignals),
    expiration: Day('the filter, else the nearest live expiration'),
    put_call_oi_ratio: Nullable(Ratio()),
    pain_curve: Type.Array(
      Type.Object({ strike: Price(), call_pain: Usd(), put_pain: Usd(), total_pain: Usd() }, { title: 'PainPoint' }),
      {
        ...rowKey('strike'),
        minItems: 1
      }
    ),
    oi_by_strike: Type.Array(
      Type.Object(
        {
          strike: Price(),
          call_oi: Contracts(),
          put_oi: Contracts(),
          total_oi: Contracts(),
          call_volume: Contracts(),
          put_volume: Contracts()
        },
        { title: 'OpenInterestStrike' }
      ),
      { ...rowKey('strike'), minItems: 1 }
    ),
    max_pain_by_expiration: Nullable(
      Type.Array(
        Type.Object(
          { expiration: Day(), max_pain_strike: Price(), dte: Days(), total_oi: Contracts() },
          { title: 'ExpirationMaxPain' }
        ),
        rowKey('expiration')
      )
    ),
    dealer_alignment: Type.Object(
      {
        alignment: Words(...alignments),
        description: Sentence(),
        gamma_flip: Nullable(Level()),
        call_wall: Nullable(Price()),
        put_wall: Nullable(Price())
      },
      { title: 'MaxPainAlignment' }
    ),
    regime: Words(...regimes),
    expected_move: Type.Object(
      {
        straddle_price: Nullable(Usd()),
        atm_iv: Nullable(Percent()),
        max_pain_within_expected_range: Nullable(Type.Boolean())
      },
      { title: 'MaxPainExpectedMove' }
    ),
    pin_probability: DataScore(),
    scope: scopeBlock.schema
  }),
  answer: ({ chain }, asked) => {
    const { expiration } = asked
    const scope = scopeAsked(chain, asked)
    const strike = maxPainOf(scope)
    if (strike === undefined) throw apiError('no_data', `no open interest in ${chain.symbol} in this scope`)
    const { spot } = chain
    const nearest = expiration ?? chain.expirations[scope.expirations[0]].date
    const atm = atTheMoney(expiringScope(chain, nearest))
    const rows = painStrikes(scope)
    const distance = painDistance(spot, strike, painBottom(scope))
    const levels = keyLevels(scope)
    const flip = gammaFlip(scope)
    const walls = { callWall: levels.callWall?.strike, putWall: levels.putWall?.strike }
    const alignment = dealerAlignment(strike, spot, { flip, ...walls })
    return {
      ...header(chain),
      max_pain_strike: strike,
      distance: { absolute: distance.absolute, percent: distance.percent, direction: distance.direction },
      signal: distance.signal,
      expiration: nearest,
      put_call_oi_ratio: putCallTotals(scope).oiRatio,
      pain_curve: painCurve(scope).map((point) => ({
        strike: point.strike,
        call_pain: point.callPain,
        put_pain: point.putPain,
        total_pain: totalPain(point)
      })),
      oi_by_strike: rows.map((row) => ({
        strike: row.strike,
        call_oi: row.callOi,
        put_oi: row.putOi,
        total_oi: row.callOi + row.putOi,
        call_volume: row.callVolume,
        put_volume: row.putVolume
      })),
      max_pain_by_expiration:
        expiration === undefined
          ? maxPainByExpiration(chain, datesOf(scope)).map((row) => ({
              expiration: row.date,
              max_pain_strike: row.strike,
              dte: row.days,
              total_oi: row.openInterest
            }))
          : undefined,
      dealer_alignment: {
        alignment,
        description: hasExpired(scope) ? alignmentOfExpired(strike) : alignmentReading(alignment, strike, flip),
        gamma_flip: flip,
        call_wall: walls.callWall,
        put_wall: walls.putWall
      },
      regime: regimeOrPositive(gammaRegime(scope)),
      expected_move: {
        straddle_price: atm?.straddle,
        atm_iv: inPercent(atm?.sigma),
        max_pain_within_expected_range: atm && distance.absolute <= atm.straddle
      },
      pin_probability: pinProbability(scope, { strike, date: nearest, straddle: atm?.straddle }),
      scope: scopeBlock.fill(scope, asked)
    }
  }
})
