import type { FlowFigures } from '../../signals/strategies/flow-anomaly.ts'
import { count, money, multiple, percent } from '../format.ts'
import { type Reasons, sentences } from './reasons.ts'

export function flowReasons(figures: FlowFigures): Reasons {
  const { bias, volumeRatio, volume, openInterest, dominantPremium, dominantShare, dominantSide, busiestThree } =
    figures
  return {
    why: sentences(
      volumeRatio === undefined
        ? `Only calls have traded, ${count(volume)} contracts.`
        : `Calls trade ${multiple(volumeRatio)} times the volume of puts, ${count(volume)} contracts in all.`,
      dominantShare === undefined || dominantSide === undefined
        ? undefined
        : `${dominantSide === 'calls' ? 'Calls' : 'Puts'} make ${percent(100 * dominantShare)} of the premium, ${money(dominantPremium)}.`,
      `The three busiest strikes hold ${percent(100 * busiestThree)} of the volume.`,
      openInterest === 0 ? undefined : `Volume is ${percent((100 * volume) / openInterest)} of open interest.`
    ),
    avoidIf: [
      'The volume turns out to be one spread or one roll.',
      bias === 'neutral' ? 'Volume leans to one side later in the session.' : 'The other side catches up in volume.'
    ]
  }
}
