import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { symbolInPath } from '../../api/params.ts'
import { Count, Decimal, Name, Note, Nullable, Score, Seconds, Words } from '../../api/quantity.ts'
import { ageCheck } from '../../quality/chain-assessment.ts'
import { chainQuality, contractCounts } from '../../quality/chain-quality.ts'
import { CONTRADICTED, checkIds, checkStates, checkUnits, qualityScore } from '../../quality/quality-check.ts'
import { checkReading } from '../../wording/quality-readings.ts'
import { scopeFor } from '../exposure/scoped.ts'

export const quality = endpoint({
  id: 'quality.current',
  path: '/v1/quality/{symbol}',
  tag: 'insight',
  tool: 'market',
  summary: 'How good the data under the numbers is',
  description:
    'What to trust: a score of the chain from fifteen checks, each with its finding and deduction. The same score is the header `X-Data-Quality` of other answers.',
  plan: 'free',
  needs: ['chain', 'prior', 'provenance', 'sourceDelay', 'second'],
  params: { symbol: symbolInPath() },
  errors: ['no_data'],
  replay: true,
  stream: false,
  response: Type.Object({
    ...envelope,
    source: Name('name of the connector; on the replay host recorded or imported'),
    age_s: Seconds('of the chain by the clock of the market', { minimum: 0 }),
    score: Score('100 less all deductions'),
    contracts: Type.Object(
      {
        listed: Count('live contracts', { minimum: 0 }),
        two_sided: Count('with a bid above 0 and an ask not below it', { minimum: 0 }),
        with_open_interest: Count(undefined, { minimum: 0 })
      },
      { title: 'ContractCounts' }
    ),
    checks: Type.Array(
      Type.Object(
        {
          id: Words(...checkIds),
          value: Nullable(Decimal(4, 'as unit says', 'null where the check was not made')),
          unit: Words('seconds', 'percent', 'ratio', 'count'),
          deduction: Type.Integer({
            minimum: 0,
            maximum: CONTRADICTED,
            'x-unit': 'points',
            description: 'of the score'
          }),
          state: Words(...checkStates),
          text: Note('the finding')
        },
        { title: 'QualityCheck' }
      ),
      { ...rowKey('id'), minItems: checkIds.length, maxItems: checkIds.length }
    )
  }),
  answer: ({ chain, prior, provenance, sourceDelay: delay, second }) => {
    scopeFor(chain, undefined)
    const { name, pace } = provenance!
    const age = ageCheck({ asOf: chain.asOf, delay, pace }, second)
    const { checks, deducted } = chainQuality(chain, prior)
    const { listed, twoSided, withOpenInterest } = contractCounts(chain)
    return {
      ...header(chain),
      source: name,
      age_s: Math.max(0, (second - chain.asOf) / 1000),
      score: qualityScore(deducted + age.deduction),
      contracts: { listed, two_sided: twoSided, with_open_interest: withOpenInterest },
      checks: [age, ...checks].map((check) => ({
        id: check.id,
        value: check.value,
        unit: checkUnits[check.id],
        deduction: check.deduction,
        state: check.state,
        text: checkReading(check)
      }))
    }
  }
})
