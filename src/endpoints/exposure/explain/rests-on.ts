import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { Contracts, Count, Nullable, Percent, Seconds, Share, Words } from '../../../api/quantity.ts'
import type { Measure } from '../../../exposure/breakdown/contributions.ts'
import { exclusionReasons, exposureBasis } from '../../../exposure/breakdown/exposure-basis.ts'
import type { Scope } from '../../../exposure/scope.ts'
import { type SourceWord, sourceWord, sourceWords } from './source-word.ts'

const share = (what: string) => Share(what, { minimum: 0, maximum: 1 })

/**
 * Describes the data behind a figure: where the volatilities came from, how old and wide the quotes are, and which
 * contracts were left out.
 */
export const restsOnBlock = block(
  Type.Object(
    {
      sigma_sources: Type.Object(
        {
          own_mid: share('priced from its own quote'),
          twin: share('from the quote of the other option at its strike'),
          smile: share('from the smile, or interpolated between its neighbors')
        },
        {
          title: 'VolatilitySourceShares',
          description: 'shares of the absolute contributions; all 0 where there are none'
        }
      ),
      quote_age: Nullable(
        Type.Object(
          { median_s: Seconds(), p95_s: Seconds() },
          {
            title: 'QuoteAge',
            description: 'before as_of; null where the source does not state the time of each quote'
          }
        )
      ),
      spreads: Type.Object(
        {
          median_pct: Nullable(Percent('of the mid, contracts with a two-sided quote', { minimum: 0 })),
          p95_pct: Nullable(Percent(undefined, { minimum: 0 }))
        },
        { title: 'SpreadWidths' }
      ),
      left_out: Type.Array(
        Type.Object(
          {
            reason: Words(...exclusionReasons),
            contracts: Count(undefined, { minimum: 1 }),
            open_interest: Contracts(undefined, { minimum: 0 })
          },
          { title: 'LeftOutContracts' }
        ),
        { ...rowKey('reason'), description: 'contracts of the scope without exposure' }
      )
    },
    { title: 'EvidenceSummary' }
  ),
  (scope: Scope, measure: Measure) => {
    const { bySource, medianSpread, highSpread, leftOut } = exposureBasis(scope, measure)
    const sums: Record<SourceWord, number> = { own_mid: 0, twin: 0, smile: 0 }
    let total = 0
    for (const [source, value] of bySource) {
      sums[sourceWord(source)] += value
      total += value
    }
    const [own_mid, twin, smile] = sourceWords.map((word) => (total === 0 ? 0 : sums[word] / total))
    return {
      sigma_sources: { own_mid, twin, smile },
      quote_age: undefined,
      spreads: { median_pct: medianSpread, p95_pct: highSpread },
      left_out: leftOut.map(({ reason, contracts, openInterest }) => ({
        reason,
        contracts,
        open_interest: openInterest
      }))
    }
  }
)
