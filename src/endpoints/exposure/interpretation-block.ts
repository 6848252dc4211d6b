import Type from 'typebox'
import { block } from '../../api/block.ts'
import { Sentence } from '../../api/quantity.ts'
import { netExposures, vannaPerPoint } from '../../exposure/net.ts'
import { gammaRegime } from '../../exposure/regime.ts'
import { exposureGap, type Scope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { netCharm } from '../../exposure/time-decay.ts'
import { charmReading, gammaReading, vannaReading } from '../../wording/exposure-readings.ts'

export const interpretationBlock = block(
  Type.Object({ gamma: Sentence(), vanna: Sentence(), charm: Sentence() }, { title: 'ExposureInterpretation' }),
  (scope: Scope) => {
    const gap = exposureGap(scope)
    return {
      gamma: gammaReading(gammaRegime(scope), gammaFlip(scope), gap),
      vanna: vannaReading(vannaPerPoint(netExposures(scope)), gap),
      charm: charmReading(netCharm(scope), gap)
    }
  }
)
