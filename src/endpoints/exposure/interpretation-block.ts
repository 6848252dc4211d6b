import Type from 'typebox'
import { block } from '../../api/block.ts'
import { Sentence } from '../../api/quantity.ts'
import type { NetExposures } from '../../exposure/net.ts'
import type { StatedRegime } from '../../exposure/regime.ts'
import { charmReading, gammaReading, vannaReading } from '../../wording/exposure-readings.ts'

export const interpretationBlock = block(
  Type.Object({ gamma: Sentence(), vanna: Sentence(), charm: Sentence() }),
  (regime: StatedRegime, flip: number | undefined, { vex, chex }: NetExposures, unheld: boolean) => ({
    gamma: gammaReading(regime, flip, unheld),
    vanna: vannaReading(vex),
    charm: charmReading(chex)
  })
)
