import type { SurfaceFigures } from '../../signals/strategies/surface-anomaly.ts'
import { points } from '../format.ts'
import { type Reasons, sentences } from './reasons.ts'

export function surfaceReasons(figures: SurfaceFigures): Reasons {
  const { expiry, putRichness, callRichness, fitQuality, points: residuals, dominantWing } = figures
  const wing = (side: string, richness: number | undefined) =>
    richness === undefined
      ? undefined
      : `Quotes of the ${side} wing of ${expiry} lie ${points(richness)} vol points over the fitted smile.`
  return {
    why: sentences(
      wing('put', putRichness),
      wing('call', callRichness),
      `The fit over ${residuals.length} strikes has a quality of ${fitQuality}.`
    ),
    avoidIf: sentences(
      'The fit is refused or its quality falls.',
      dominantWing === 'none' ? undefined : `The ${dominantWing} wing comes back to the fit.`
    )
  }
}
