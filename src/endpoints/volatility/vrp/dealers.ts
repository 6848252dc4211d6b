import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { Decimal, Level, Notional, Nullable, Score, Sentence, Words } from '../../../api/quantity.ts'
import {
  type DealerPositioning,
  gammaSide,
  gammaSides,
  vannaOutlook,
  vannaOutlooks
} from '../../../signals/risk-premium/dealer-flow-risk.ts'
import type { PremiumFigures } from '../../../signals/risk-premium/premium-figures.ts'
import { type PremiumRegime, premiumRegimes } from '../../../signals/risk-premium/premium-regime.ts'
import { harvestScore, type SellingScores } from '../../../signals/risk-premium/selling-scores.ts'
import { harvestReading, vannaOutlookReading } from '../../../wording/premium-readings.ts'

const score = () => Nullable(Score())

export const gexConditionedBlock = block(
  Type.Object(
    {
      regime: Words(...gammaSides),
      harvest_score: Nullable(Decimal(2, 'fraction', '0 to 1', { minimum: 0, maximum: 1 })),
      interpretation: Sentence()
    },
    { title: 'GexConditioned' }
  ),
  (premiums: PremiumFigures) => {
    const harvest = harvestScore(premiums)
    const term = premiums.term.map(({ premium }) => premium)
    const side = gammaSide(premiums.dealers.netGex)
    return { regime: side, harvest_score: harvest, interpretation: harvestReading(side, { harvest, term }) }
  }
)

export const vannaConditionedBlock = block(
  Type.Object({ outlook: Words(...vannaOutlooks), interpretation: Sentence() }, { title: 'VannaConditioned' }),
  (dealers: DealerPositioning) => ({ outlook: vannaOutlook(dealers), interpretation: vannaOutlookReading(dealers) })
)

export const regimeBlock = block(
  Type.Object(
    {
      gamma: Words(...gammaSides),
      vrp_regime: Nullable(Words(...premiumRegimes)),
      net_gex: Nullable(Notional('full chain, USD of delta gained per 1 % move of spot')),
      gamma_flip: Nullable(Level())
    },
    { title: 'VrpRegime' }
  ),
  ({ netGex, gammaFlip }: DealerPositioning, regime: PremiumRegime | undefined) => ({
    gamma: gammaSide(netGex),
    vrp_regime: regime,
    net_gex: netGex,
    gamma_flip: gammaFlip
  })
)

/**
 * Scores of strategies that sell premium. All are null if no chain can be priced, because then there is nothing to
 * sell.
 */
export const strategiesBlock = block(
  Type.Object(
    {
      short_put_spread: score(),
      short_strangle: score(),
      iron_condor: score(),
      calendar_spread: score()
    },
    { title: 'VrpStrategyScores' }
  ),
  (scores: SellingScores | undefined) => ({
    short_put_spread: scores?.shortPutSpread,
    short_strangle: scores?.shortStrangle,
    iron_condor: scores?.ironCondor,
    calendar_spread: scores?.calendarSpread
  })
)
