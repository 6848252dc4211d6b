import Type from 'typebox'
import { ranked, rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { number } from '../../api/params.ts'
import { Count, Level, Nullable, Price, Share, Words } from '../../api/quantity.ts'
import { bandCalibration, MAX_MORNINGS, otherErrors } from '../../exposure/bands/band-calibration.ts'
import { flipBand } from '../../exposure/bands/flip-band.ts'
import { jointGammas } from '../../exposure/bands/gamma-at-nodes.ts'
import { type NormalSum, netBands } from '../../exposure/bands/net-bands.ts'
import { MEASURED_MORNINGS } from '../../exposure/bands/position-figures.ts'
import { exposuresByQuote } from '../../exposure/bands/quote-range.ts'
import { uncertainContracts } from '../../exposure/bands/uncertain-contracts.ts'
import { wallOdds } from '../../exposure/bands/wall-odds.ts'
import type { Measure } from '../../exposure/breakdown/contributions.ts'
import { datesOf, type Scope } from '../../exposure/scope.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { strikeRange } from '../../exposure/spot-ladder/strike-range.ts'
import { type BandTenor, bandErrorName, bandTenorOf } from '../../market/band-errors.ts'
import { morningErrors } from '../../market/band-pool.ts'
import { CALL, PUT } from '../../market/chain.ts'
import { daysToExpiry } from '../../market/clock.ts'
import { securityKind } from '../../market/security.ts'
import { normalCdf } from '../../math/normal.ts'
import { keyOf } from '../../math/random.ts'
import { refuseDistrusted } from '../distrust.ts'
import { bandSetBlock, flipBandBlock } from './bands/band.ts'
import { setScope, setScopeSchema } from './scope-block.ts'
import { type AskedScope, bySet, sameDayGate, scopeAsked, scoped } from './scoped.ts'

/**
 * Probability that a net exposure is positive, if it is normally distributed around `mean`. With a deviation of 0 the
 * probability is 0 or 1. Undefined if the exposure is exactly 0, or if the scope has no contracts that could add to it.
 */
function probabilityAbove({ mean, deviation }: NormalSum, scope: Scope): number | undefined {
  if (uncertainContracts(scope).slots.length === 0) return undefined
  if (deviation > 0) return normalCdf(mean / deviation)
  return mean === 0 ? undefined : mean > 0 ? 1 : 0
}

/** The tenor whose settled errors the bands are held to: that of all contracts in the scope if it is one. */
function tenorOf(scope: Scope, { expiration, expirations }: AskedScope): BandTenor {
  if (expiration === undefined && expirations === undefined) return 'all'
  const tenors = new Set(datesOf(scope).map((date) => bandTenorOf(daysToExpiry(scope.chain.asOf, date))))
  return tenors.size === 1 ? [...tenors][0] : 'all'
}

const walls = () =>
  Type.Array(
    Type.Object(
      { strike: Price(), probability: Share('of the draws', { minimum: 0, maximum: 1 }) },
      { title: 'WallProbability' }
    ),
    {
      ...rowKey('strike'),
      ...ranked,
      maxItems: 5
    }
  )

export const bands = endpoint({
  id: 'exposure.bands',
  path: '/v1/exposure/bands/{symbol}',
  tag: 'exposure',
  summary: 'How certain the net exposures and levels are',
  description:
    'Error bars: quantiles of each net exposure and of the flip, from how wide quotes are and how uncertain positions within the day are, with the record of how often such bands held.',
  plan: 'growth',
  gates: [sameDayGate],
  needs: ['chain', 'records', 'bandHistory', 'distrust'],
  recordsRead: () => MAX_MORNINGS,
  errors: ['insufficient_data'],
  params: {
    ...scoped,
    sign_confidence: number({
      description: 'a number: the probability that the conventional side of a contract is right',
      default: 0.85,
      minimum: 0.5,
      maximum: 1,
      clamp: true,
      code: 'invalid_sign_confidence'
    })
  },
  ...bySet,
  replay: true,
  stream: false,
  response: Type.Object({
    ...envelope,
    sign_confidence: Share('that the conventional side is right: a stated prior, not a measurement', {
      minimum: 0.5,
      maximum: 1
    }),
    figures: Type.Object(
      { source: Words('default', 'calibrated'), sessions: Count('that they were measured over', { minimum: 0 }) },
      { title: 'BandFigures', description: 'how open interest changes with volume' }
    ),
    net_gex: bandSetBlock.schema,
    net_dex: bandSetBlock.schema,
    net_vex: bandSetBlock.schema,
    net_chex: bandSetBlock.schema,
    gamma_flip: Type.Object(
      {
        value: Nullable(Level('that of the plain endpoint')),
        positions: flipBandBlock.schema,
        combined: flipBandBlock.schema
      },
      { title: 'GammaFlipBand' }
    ),
    regime: Type.Object(
      {
        positive_positions: Nullable(Share('', { minimum: 0, maximum: 1 })),
        positive_combined: Nullable(Share('', { minimum: 0, maximum: 1 }))
      },
      { title: 'RegimeProbability', description: 'probability that net gamma is above 0' }
    ),
    walls: Type.Object({ call: walls(), put: walls() }, { title: 'WallProbabilities' }),
    ...setScopeSchema
  }),
  answer: ({ chain, records, bandHistory, distrust }, { sign_confidence: confidence, ...asked }) => {
    refuseDistrusted(distrust)
    const scope = scopeAsked(chain, asked)
    const byQuote = exposuresByQuote(scope)
    const tenor = tenorOf(scope, asked)
    const kind = securityKind(chain.symbol)
    const calibrationOf = (measure: Measure) => {
      const name = bandErrorName(measure, tenor)
      const own = morningErrors(records, name)
      return bandCalibration(
        own.map(({ error }) => error),
        otherErrors(bandHistory, name, own)
      )
    }
    const bandsOf = (measure: Measure) => {
      const calibration = calibrationOf(measure)
      const nets = byQuote.map((net) => net[measure])
      return bandSetBlock.fill(netBands(scope, measure, confidence, calibration), nets, kind, calibration)
    }
    const calibrated = calibrationOf('gex')
    const gamma = netBands(scope, 'gex', confidence, calibrated)
    const joint = jointGammas(scope, confidence, calibrated?.factor)
    const strikes = strikeRange(scope)
    const key = keyOf(chain.asOf, chain.symbol)
    return {
      ...header(chain),
      sign_confidence: confidence,
      figures:
        calibrated === undefined
          ? { source: 'default' as const, sessions: MEASURED_MORNINGS }
          : { source: 'calibrated' as const, sessions: calibrated.mornings },
      net_gex: bandsOf('gex'),
      net_dex: bandsOf('dex'),
      net_vex: bandsOf('vex'),
      net_chex: bandsOf('chex'),
      gamma_flip: {
        value: gammaFlip(scope),
        positions: flipBandBlock.fill(flipBand(joint.positions, chain.spot, strikes, key)),
        combined: flipBandBlock.fill(flipBand(joint.combined, chain.spot, strikes, key))
      },
      regime: {
        positive_positions: probabilityAbove(gamma.positions, scope),
        positive_combined: probabilityAbove(gamma.combined, scope)
      },
      walls: {
        call: wallOdds(scope, CALL, keyOf(chain.asOf, chain.symbol, 'call')),
        put: wallOdds(scope, PUT, keyOf(chain.asOf, chain.symbol, 'put'))
      },
      ...setScope(scope, asked)
    }
  }
})
