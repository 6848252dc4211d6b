import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { Count, Level, Notional, Nullable, Percent, Share, Words } from '../../../api/quantity.ts'
import {
  type BandCalibration,
  calibrationBases,
  MAX_MORNINGS,
  MIN_MORNINGS
} from '../../../exposure/bands/band-calibration.ts'
import type { FlipBand } from '../../../exposure/bands/flip-band.ts'
import type { NetBands, NormalSum } from '../../../exposure/bands/net-bands.ts'
import type { SecurityKind } from '../../../market/security.ts'
import { inverseNormal } from '../../../math/normal.ts'

const shares = { p05: 0.05, p25: 0.25, p50: 0.5, p75: 0.75, p95: 0.95 } as const
type Quantiles<Value> = { readonly [Name in keyof typeof shares]: Value }
const perShare = <Value>(value: (share: number) => Value) =>
  Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, value(share)])) as Quantiles<Value>

/** Quantiles of a net exposure that is taken to be normally distributed. */
const bandBlock = block(
  Type.Object(
    perShare(() => Notional()),
    { title: 'Quantiles' }
  ),
  ({ mean, deviation }: NormalSum) => perShare((share) => mean + deviation * inverseNormal(share)!)
)

const calibrationSchema = Type.Union(
  [
    Words('prior'),
    Type.Object(
      {
        basis: Words(...calibrationBases),
        mornings: Count('past mornings of the basis that were compared with bands', {
          minimum: MIN_MORNINGS,
          maximum: MAX_MORNINGS
        }),
        held_pct: Percent(
          'of these mornings that lay inside the band stated the evening before; of other symbols, inside the prior',
          { minimum: 0, maximum: 100 }
        ),
        class: Words('index', 'etf', 'equity')
      },
      { title: 'BandCalibration' }
    )
  ],
  {
    description: `whose mornings correct the band: with fewer than ${MIN_MORNINGS} of the symbol those of other symbols of its class, else of all others; prior: there are fewer of all others too`
  }
)

/**
 * A net exposure and how uncertain it is. `byQuote` holds the exposure computed with the volatilities of mid, bid and
 * ask.
 */
export const bandSetBlock = block(
  Type.Object(
    {
      value: Notional('that of the plain endpoint, at settled open interest'),
      expected: Notional("at the open interest that the session's volume leads to expect"),
      shift: Notional('expected less value: what the volume since the last settlement is expected to add'),
      calibration: calibrationSchema,
      positions: bandBlock.schema,
      quotes: Type.Object(
        { low: Notional(), high: Notional() },
        { title: 'QuoteRange', description: 'the least and the greatest at the volatilities of mid, bid and ask' }
      ),
      sign: bandBlock.schema,
      combined: bandBlock.schema
    },
    { title: 'ExposureBand' }
  ),
  (
    { positions, sign, combined }: NetBands,
    byQuote: readonly number[],
    kind: SecurityKind,
    calibration: BandCalibration | undefined
  ) => ({
    value: byQuote[0],
    expected: positions.mean,
    shift: positions.mean - byQuote[0],
    calibration:
      calibration === undefined
        ? ('prior' as const)
        : {
            basis: calibration.basis,
            mornings: calibration.mornings,
            held_pct: 100 * calibration.held,
            class: kind
          },
    positions: bandBlock.fill(positions),
    quotes: { low: Math.min(...byQuote), high: Math.max(...byQuote) },
    sign: bandBlock.fill(sign),
    combined: bandBlock.fill(combined)
  })
)

/** Quantiles of the gamma flip over simulated cases. Cases without a flip are left out and counted separately. */
export const flipBandBlock = block(
  Type.Object(
    {
      ...perShare(() => Nullable(Level())),
      share_without: Share('of the draws without a flip', { minimum: 0, maximum: 1 })
    },
    { title: 'FlipQuantiles' }
  ),
  ({ quantileAt, shareWithout }: FlipBand) => ({ ...perShare(quantileAt), share_without: shareWithout })
)
