import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { IndexPoints, Nullable, Percent, Score, Words } from '../../../api/quantity.ts'
import { fearAndGreed, fearAndGreedRatings } from '../../../macro/fear-and-greed.ts'
import { levelChange } from '../../../macro/level-change.ts'
import { type VixTermStructure, vixShapes, vixTermStructure } from '../../../macro/vix-term-structure.ts'
import type { Macro, MacroLevel } from '../../../market/macro.ts'

const points = () => Nullable(IndexPoints('', { minimum: 0 }))
const shape = Words(...vixShapes)

/** Level of one index, such as the VIX, and its change. */
const indexBlock = block(
  Type.Object(
    {
      value: IndexPoints(),
      change: Nullable(IndexPoints('against the previous close')),
      change_pct: Nullable(Percent())
    },
    { title: 'MacroLevel' }
  ),
  (level: MacroLevel) => {
    const { value, change, changePercent } = levelChange(level)
    return { value, change, change_pct: changePercent }
  }
)

const termStructureBlock = block(
  Type.Object(
    {
      levels: Type.Object(
        { vix9d: points(), vix: points(), vix3m: points(), vix6m: points() },
        { title: 'VixTermLevels' }
      ),
      near_slope_pct: Nullable(Percent('100 (vix - vix9d) / vix9d')),
      structure: shape
    },
    { title: 'VixTermStructure' }
  ),
  ({ vix9d, vix, vix3m, vix6m, nearSlope, shape }: VixTermStructure) => ({
    levels: { vix9d, vix, vix3m, vix6m },
    near_slope_pct: nearSlope,
    structure: shape
  })
)

const futuresBlock = block(
  Type.Object(
    {
      front_month: IndexPoints('the three-month index'),
      spot: IndexPoints('the VIX'),
      spread: IndexPoints('front_month minus spot'),
      basis_pct: Percent('100 spread / spot'),
      basis: shape
    },
    { title: 'VixFutures', description: 'approximated from the levels of the indexes, not from futures' }
  ),
  ({ vix, vix3m, spread, basis, shape }: VixTermStructure) => ({
    front_month: vix3m,
    spot: vix,
    spread,
    basis_pct: basis,
    basis: shape
  })
)

/** Macro part of the summary. Levels that no source delivers are null. */
export const macroBlock = block(
  Type.Object(
    {
      vix: Nullable(indexBlock.schema),
      vvix: Nullable(indexBlock.schema),
      skew: Nullable(indexBlock.schema),
      spx: Nullable(indexBlock.schema),
      move: Nullable(indexBlock.schema),
      vix_term_structure: Nullable(termStructureBlock.schema),
      vix_futures: Nullable(futuresBlock.schema),
      fear_and_greed: Nullable(
        Type.Object({ score: Score(), rating: Words(...fearAndGreedRatings) }, { title: 'FearAndGreed' })
      )
    },
    { title: 'SummaryMacro' }
  ),
  (macro: Macro) => {
    const { vix, vvix, skew, spx, move } = macro.levels
    const term = vixTermStructure(macro)
    return {
      vix: vix && indexBlock.fill(vix),
      vvix: vvix && indexBlock.fill(vvix),
      skew: skew && indexBlock.fill(skew),
      spx: spx && indexBlock.fill(spx),
      move: move && indexBlock.fill(move),
      vix_term_structure: term && termStructureBlock.fill(term),
      vix_futures: term && futuresBlock.fill(term),
      fear_and_greed: fearAndGreed(macro)
    }
  }
)
