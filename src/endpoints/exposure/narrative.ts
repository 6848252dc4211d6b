import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath } from '../../api/params.ts'
import {
  Contracts,
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
import { gammaChange, netExposures, sameDayShare } from '../../exposure/net.ts'
import { mostTalkedAbout, openInterestChanges } from '../../exposure/open-interest/open-interest-change.ts'
import { gammaRegime, statedRegimes } from '../../exposure/regime.ts'
import { liveScope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { netCharm } from '../../exposure/time-decay.ts'
import { CALL, known } from '../../market/chain.ts'
import { narrative as tell } from '../../wording/narrative.ts'
import { scopeFor } from './scoped.ts'

export const narrative = endpoint({
  id: 'exposure.narrative',
  path: '/v1/exposure/narrative/{symbol}',
  tag: 'exposure',
  summary: 'Written reading of the exposure picture with the numbers behind it',
  plan: 'growth',
  needs: ['chain', 'prior', 'vix'],
  params: { symbol: symbolInPath() },
  replay: true,
  stream: false,
  response: Type.Object({
    ...envelope,
    narrative: Type.Object({
      regime: Sentence(),
      gex_change: Sentence(),
      key_levels: Sentence(),
      flow: Sentence(),
      vanna: Sentence(),
      charm: Sentence(),
      zero_dte: Sentence(),
      outlook: Sentence(),
      data: Type.Object({
        net_gex: Notional(),
        net_gex_prior: Nullable(Notional('at the close of the previous trading day')),
        net_gex_change_pct: Nullable(Percent()),
        vix: Nullable(IndexPoints()),
        gamma_flip: Nullable(Level()),
        call_wall: Nullable(Price()),
        put_wall: Nullable(Price()),
        regime: Words(...statedRegimes),
        zero_dte_pct: Nullable(Percent()),
        top_oi_changes: Type.Array(
          Type.Object({
            strike: Price(),
            type: Words('C', 'P'),
            oi_change: Contracts('signed'),
            volume: Contracts()
          }),
          { maxItems: 5 }
        )
      })
    })
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
      strike: chain.strike[slot],
      type: chain.right[slot] === CALL ? ('C' as const) : ('P' as const),
      change,
      volume: known(chain.volume[slot])
    }))
    const figures = {
      symbol: chain.symbol,
      spot: chain.spot,
      regime,
      netGex: net.gex,
      priorGex,
      changePercent,
      flip,
      callWall: levels.callWall?.strike,
      putWall: levels.putWall?.strike,
      sameDayPercent: today.percentOfTotal,
      expiresToday: today.expires,
      expiredToday: today.expired,
      vix,
      topChanges
    }
    return {
      ...header(chain),
      narrative: {
        ...tell(figures, net.vex, netCharm(scope)),
        data: {
          net_gex: net.gex,
          net_gex_prior: priorGex,
          net_gex_change_pct: changePercent,
          vix,
          gamma_flip: flip,
          call_wall: figures.callWall,
          put_wall: figures.putWall,
          regime,
          zero_dte_pct: today.percentOfTotal,
          top_oi_changes: topChanges.map(({ strike, type, change, volume }) => ({
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
