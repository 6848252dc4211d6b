import Type from 'typebox'
import { rowName } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath } from '../../api/params.ts'
import {
  Contracts,
  Day,
  IndexPoints,
  Level,
  Notional,
  Nullable,
  Percent,
  Price,
  Sentence,
  Words
} from '../../api/quantity.ts'
import { keyLevels } from '../../exposure/levels/key-levels.ts'
import { gammaChange, netExposures, sameDayShare, vannaPerPoint } from '../../exposure/net.ts'
import { mostTalkedAbout, openInterestChanges } from '../../exposure/open-interest/open-interest-change.ts'
import { gammaRegime, statedRegimes } from '../../exposure/regime.ts'
import { expirationDate, exposureGap, liveScope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { netCharm } from '../../exposure/time-decay.ts'
import { CALL, known } from '../../market/chain.ts'
import { narrative as tell } from '../../wording/narrative.ts'
import { charmUnit } from './net-block.ts'
import { readingBlock } from './reading-block.ts'
import { scopeFor } from './scoped.ts'

export const narrative = endpoint({
  id: 'exposure.narrative',
  path: '/v1/exposure/narrative/{symbol}',
  tag: 'exposure',
  summary: 'The exposure picture in sentences, with the numbers behind them',
  description:
    "A briefing to read or to show as it is: sentences on regime, change since the previous close, levels, flow, vanna, charm and the day's expiration, each with its figures in `data`. Sentences assert nothing where the data does not allow it.",
  plan: 'growth',
  needs: ['chain', 'prior', 'vix', 'distrust'],
  params: { symbol: symbolInPath() },
  replay: true,
  stream: false,
  response: Type.Object({
    ...envelope,
    reading: readingBlock.schema,
    narrative: Type.Object(
      {
        regime: Sentence(),
        gex_change: Sentence(),
        key_levels: Sentence(),
        flow: Sentence(),
        vanna: Sentence(),
        charm: Sentence(),
        zero_dte: Sentence(),
        outlook: Sentence(),
        data: Type.Object(
          {
            net_gex: Notional(),
            net_gex_prior: Nullable(Notional('at the close of the previous trading day')),
            net_gex_change_pct: Nullable(Percent()),
            net_vex_per_point: Notional('USD of delta gained per volatility point'),
            net_chex: Notional(charmUnit),
            vix: Nullable(IndexPoints()),
            gamma_flip: Nullable(Level()),
            call_wall: Nullable(Price()),
            put_wall: Nullable(Price()),
            call_wall_above: Nullable(Price('call wall among the strikes at or above spot')),
            put_wall_below: Nullable(Price('put wall among the strikes at or below spot')),
            regime: Words(...statedRegimes),
            zero_dte_pct: Nullable(Percent('100 |same-day net| / |full-chain net|; may exceed 100')),
            zero_dte_gross_pct: Nullable(
              Percent('share of the gross gamma of all contracts, 0 to 100', { minimum: 0, maximum: 100 })
            ),
            top_oi_changes: Type.Array(
              Type.Object(
                {
                  expiration: Day(),
                  strike: Price(),
                  type: Words('C', 'P'),
                  oi_change: Contracts('signed'),
                  volume: Contracts()
                },
                { title: 'NarrativeOiChange' }
              ),
              { ...rowName('expiration', 'strike', 'type'), maxItems: 5 }
            )
          },
          { title: 'NarrativeFigures' }
        )
      },
      { title: 'Narrative' }
    )
  }),
  answer: ({ chain, prior, vix }) => {
    const scope = scopeFor(chain, undefined)
    const net = netExposures(scope)
    const levels = keyLevels(scope)
    const flip = gammaFlip(scope)
    const regime = gammaRegime(scope)
    const today = sameDayShare(chain)
    const priorGex = prior && netExposures(liveScope(prior)).gex
    const changePercent = gammaChange(net.gex, priorGex)
    const changes = prior ? mostTalkedAbout(chain, openInterestChanges(chain, prior), 5) : []
    const topChanges = changes.map(({ slot, change }) => ({
      expiration: expirationDate(chain, slot),
      strike: chain.strike[slot],
      type: chain.right[slot] === CALL ? ('C' as const) : ('P' as const),
      change,
      volume: known(chain.volume[slot])
    }))
    const figures = {
      symbol: chain.symbol,
      spot: chain.spot,
      regime,
      gap: exposureGap(scope),
      netGex: net.gex,
      priorGex,
      changePercent,
      vannaPerPoint: vannaPerPoint(net),
      charm: netCharm(scope),
      flip,
      callWall: levels.callWall?.strike,
      putWall: levels.putWall?.strike,
      callWallAbove: levels.callWallAbove?.strike,
      putWallBelow: levels.putWallBelow?.strike,
      sameDayPercent: today.percentOfGross,
      expiresToday: today.expires,
      expiredToday: today.expired,
      vix,
      topChanges
    }
    return {
      ...header(chain),
      reading: readingBlock.fill(),
      narrative: {
        ...tell(figures),
        data: {
          net_gex: net.gex,
          net_gex_prior: priorGex,
          net_gex_change_pct: changePercent,
          net_vex_per_point: figures.vannaPerPoint,
          net_chex: net.chex,
          vix,
          gamma_flip: flip,
          call_wall: figures.callWall,
          put_wall: figures.putWall,
          call_wall_above: figures.callWallAbove,
          put_wall_below: figures.putWallBelow,
          regime,
          zero_dte_pct: today.percentOfTotal,
          zero_dte_gross_pct: today.percentOfGross,
          top_oi_changes: topChanges.map(({ expiration, strike, type, change, volume }) => ({
            expiration,
            strike,
            type,
            oi_change: change,
            volume
          }))
        }
      }
    }
  }
})
