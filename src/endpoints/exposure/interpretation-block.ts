import Type from 'typebox'
import { block } from '../../api/block.ts'
import { Sentence } from '../../api/quantity.ts'
import { netExposures } from '../../exposure/net.ts'
import type { StatedRegime } from '../../exposure/regime.ts'
import type { Scope } from '../../exposure/scope.ts'
import { netCharm } from '../../exposure/time-decay.ts'
import { charmReading, gammaReading, vannaReading } from '../../wording/exposure-readings.ts'

export const interpretationBlock = block(
  Type.Object({ gamma: Sentence(), vanna: Sentence(), charm: Sentence() }),
  (scope: Scope, regime: StatedRegime, flip: number | undefined, unheld: boolean) => ({
    gamma: gammaReading(regime, flip, unheld),
    vanna: vannaReading(netExposures(scope).vex),
    charm: charmReading(netCharm(scope))
  })
)
