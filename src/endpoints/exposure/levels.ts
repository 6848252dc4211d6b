import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { Level, Nullable, Price } from '../../api/quantity.ts'
import { gammaFlip } from '../../exposure/gamma-flip.ts'
import { keyLevels, sameDayMagnet } from '../../exposure/levels.ts'
import { sameDayGate, scoped, scopeFor } from './scoped.ts'

export const levels = endpoint({
  id: 'exposure.levels',
  path: '/v1/exposure/levels/{symbol}',
  tag: 'exposure',
  summary: 'Key levels derived from exposure',
  plan: 'free',
  gates: [sameDayGate],
  needs: ['chain'],
  params: scoped,
  replay: true,
  stream: true,
  mainBlock: 'levels',
  response: Type.Object({
    ...envelope,
    levels: Type.Object({
      gamma_flip: Nullable(Level('above it dealers dampen moves, below it they feed them')),
      max_positive_gamma: Nullable(Price('strike with the highest positive net gamma')),
      max_negative_gamma: Nullable(Price('strike with the most negative net gamma')),
      call_wall: Nullable(Price('strike with the highest call gamma: resistance')),
      put_wall: Nullable(Price('strike with the most negative put gamma: support')),
      highest_oi_strike: Nullable(Price('strike with the most open interest')),
      zero_dte_magnet: Nullable(Price('strike with the largest net gamma of what expires today'))
    })
  }),
  answer: ({ chain }, { expiration }) => {
    const scope = scopeFor(chain, expiration)
    const found = keyLevels(scope)
    return {
      ...header(chain),
      levels: {
        gamma_flip: gammaFlip(scope),
        max_positive_gamma: found.maxPositiveGamma?.strike,
        max_negative_gamma: found.maxNegativeGamma?.strike,
        call_wall: found.callWall?.strike,
        put_wall: found.putWall?.strike,
        highest_oi_strike: found.highestOi?.strike,
        zero_dte_magnet: sameDayMagnet(chain)?.strike
      }
    }
  }
})
