import Type from 'typebox'
import { rowsByPosition } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { choice, whole } from '../../api/params.ts'
import { Decimal, Nullable, Words } from '../../api/quantity.ts'
import type { Measure } from '../../exposure/breakdown/contributions.ts'
import { levelCandidates, type RankedLevel, rankedLevels } from '../../exposure/levels/level-candidates.ts'
import { netExposures } from '../../exposure/net.ts'
import { type Scope, sameDayScope } from '../../exposure/scope.ts'
import { flipCrossings, whyNoFlip } from '../../exposure/spot-ladder/flip-crossings.ts'
import { gammaFlip } from '../../exposure/spot-ladder/gamma-flip.ts'
import { candidatesBlock } from './explain/candidates.ts'
import { contributionsBlock } from './explain/contributions.ts'
import { crossingBlock } from './explain/crossing.ts'
import { restsOnBlock } from './explain/rests-on.ts'
import { setScope, setScopeSchema } from './scope-block.ts'
import { bySet, sameDayGate, scopeAsked, scoped } from './scoped.ts'

const measures = { net_gex: 'gex', net_dex: 'dex', net_vex: 'vex', net_chex: 'chex' } as const
const metrics = ['net_gex', 'net_dex', 'net_vex', 'net_chex', 'gamma_flip', ...rankedLevels] as const
type Metric = (typeof metrics)[number]

const nullReasons = [
  'no_exposure',
  'no_open_interest',
  'no_same_day',
  'one_sided',
  'other_side',
  'outside_strikes'
] as const
type NullReason = (typeof nullReasons)[number]

const metric = choice<Metric>({
  description: metrics.join(', '),
  spelling: Object.fromEntries(metrics.map((name) => [name, name])) as { readonly [Name in Metric]: Name },
  default: 'net_gex',
  code: 'invalid_metric'
})

/** Which exposure a metric measures, such as gamma for net_gex. Undefined for metrics that are levels. */
const measureOf = (name: Metric): Measure | undefined =>
  name in measures ? measures[name as keyof typeof measures] : undefined

/**
 * The level that a metric names, if it is found by ranking strikes, as the call wall is. Undefined for other metrics.
 */
const rankedOf = (name: Metric): RankedLevel | undefined => rankedLevels.find((level) => level === name)

/** The magnet always refers to options that expire today. */
const scopeOfMetric = (scope: Scope, name: Metric) => (name === 'magnet' ? sameDayScope(scope.chain) : scope)

interface Explained {
  readonly value: number | undefined
  readonly reason: NullReason | undefined
}

function explained(scope: Scope, name: Metric): Explained {
  const measure = measureOf(name)
  if (measure !== undefined) {
    // Without contracts the other exposure endpoints return a sum of 0, so there is no missing value to explain.
    return { value: netExposures(scope)[measure], reason: undefined }
  }
  if (name === 'gamma_flip') {
    const value = gammaFlip(scope)
    return { value, reason: value === undefined ? whyNoFlip(scope) : undefined }
  }
  const level = rankedOf(name)!
  const value = levelCandidates(scope, level)[0]?.strike
  return { value, reason: value === undefined ? whyNoLevel(scope, level) : undefined }
}

function whyNoLevel(scope: Scope, level: RankedLevel): NullReason {
  if (level === 'max_pain') return 'no_open_interest'
  return level === 'magnet' && sameDayScope(scope.chain).slots.length === 0 ? 'no_same_day' : 'no_exposure'
}

export const explain = endpoint({
  id: 'exposure.explain',
  path: '/v1/exposure/explain/{symbol}',
  tag: 'exposure',
  summary: 'What a number is based on',
  description:
    'The audit of a number: contracts that make it, crossings of zero, runners-up of a level, and how much rests on own quotes, twins or the fitted smile. For whoever asks why a level is where it is.',
  plan: 'growth',
  gates: [sameDayGate],
  needs: ['chain'],
  params: {
    ...scoped,
    metric,
    top: whole({
      description: 'a whole number of rows of each list',
      default: 10,
      minimum: 1,
      maximum: 50,
      clamp: true,
      code: 'invalid_top'
    })
  },
  ...bySet,
  replay: true,
  stream: false,
  response: Type.Object({
    ...envelope,
    metric: Words(...metrics),
    value: Nullable(Decimal(2, 'usd-notional', 'that of the plain endpoint; a price for levels')),
    null_reason: Nullable(Words(...nullReasons)),
    contributions: Nullable(contributionsBlock.schema),
    crossings: Nullable(Type.Array(crossingBlock.schema, { ...rowsByPosition, description: 'ascending' })),
    candidates: Nullable(candidatesBlock.schema),
    rests_on: restsOnBlock.schema,
    ...setScopeSchema
  }),
  answer: ({ chain }, { metric, top, ...asked }) => {
    const scope = scopeAsked(chain, asked)
    const measure = measureOf(metric)
    const level = rankedOf(metric)
    const { value, reason } = explained(scope, metric)
    return {
      ...header(chain),
      metric,
      value,
      null_reason: reason,
      contributions: measure && contributionsBlock.fill(scope, measure, top),
      crossings: metric === 'gamma_flip' ? flipCrossings(scope).map(crossingBlock.fill) : undefined,
      candidates: level && candidatesBlock.fill(scope, level, top),
      rests_on: restsOnBlock.fill(scopeOfMetric(scope, metric), measure ?? 'gex'),
      ...setScope(scope, asked)
    }
  }
})
