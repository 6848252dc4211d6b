import Type from 'typebox'
import { ranked, rowKey } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { Notional, Nullable, Price, Ratio, Share } from '../../../api/quantity.ts'
import { leadOf, levelCandidates, movedOvernight, type RankedLevel } from '../../../exposure/levels/level-candidates.ts'
import type { Scope } from '../../../exposure/scope.ts'

/** Strikes that compete for a level such as the call wall, and by how much the first one leads. */
export const candidatesBlock = block(
  Type.Object(
    {
      rows: Type.Array(
        Type.Object(
          { strike: Price(), value: Notional('call gex, put gex, net gex or total pain at the strike') },
          { title: 'LevelCandidate' }
        ),
        { ...rowKey('strike'), ...ranked, maxItems: 50 }
      ),
      margin: Nullable(Ratio('leader over runner-up, for max_pain the inverse', { minimum: 1 })),
      moved_overnight: Nullable(
        Share('how often a call wall with this margin stood elsewhere at the next settlement', {
          minimum: 0,
          maximum: 1
        })
      )
    },
    { title: 'LevelCandidates' }
  ),
  (scope: Scope, level: RankedLevel, top: number) => {
    const candidates = levelCandidates(scope, level)
    const lead = leadOf(candidates, level)
    return {
      rows: candidates.slice(0, top),
      margin: lead,
      moved_overnight: level === 'call_wall' && lead !== undefined ? movedOvernight(lead) : undefined
    }
  }
)
