import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { Level, Notional, Words } from '../../../api/quantity.ts'
import type { FlipCrossing } from '../../../exposure/spot-ladder/flip-crossings.ts'

const signs = ['positive', 'negative'] as const

/** A spot price at which net gamma exposure changes its sign. */
export const crossingBlock = block(
  Type.Object(
    {
      spot: Level(),
      slope: Notional('change of net GEX there for +1 % of spot'),
      from: Words(...signs),
      to: Words(...signs),
      chosen: Type.Boolean({ description: 'the gamma flip' })
    },
    { title: 'FlipCrossing' }
  ),
  ({ spot, slope, chosen }: FlipCrossing) => {
    const rises = slope >= 0
    return {
      spot,
      slope,
      from: rises ? ('negative' as const) : ('positive' as const),
      to: rises ? ('positive' as const) : ('negative' as const),
      chosen
    }
  }
)
