import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { IndexPoints, Nullable, Percent, Ratio } from '../../../api/quantity.ts'
import { vixTermSlope } from '../../../macro/vix-term-structure.ts'
import type { Macro } from '../../../market/macro.ts'

const percent = (description?: string) => Nullable(Percent(description))

export const premiumMacroBlock = block(
  Type.Object(
    {
      vix: Nullable(IndexPoints()),
      vix_3m: Nullable(IndexPoints()),
      vix_term_slope: Nullable(Ratio('vix_3m over vix')),
      dgs10: percent('10-year Treasury yield'),
      hy_spread: percent('option-adjusted spread of high-yield bonds'),
      fed_funds: percent()
    },
    { title: 'VrpMacro' }
  ),
  (macro: Macro) => ({
    vix: macro.levels.vix?.value,
    vix_3m: macro.levels.vix3m?.value,
    vix_term_slope: vixTermSlope(macro),
    dgs10: macro.tenYear,
    hy_spread: macro.highYieldSpread,
    fed_funds: macro.fedFunds
  })
)
