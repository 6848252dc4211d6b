export const alignments = ['converging', 'moderate', 'diverging', 'unknown'] as const
export type Alignment = (typeof alignments)[number]

interface DealerLevels {
  readonly flip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
}

/**
 * Whether max pain lies where dealer hedging would hold price: between the walls, and near the flip (within half a
 * percent of spot). Unknown when a wall or the flip is missing.
 */
export function dealerAlignment(maxPain: number, spot: number, { flip, callWall, putWall }: DealerLevels): Alignment {
  if (flip === undefined || callWall === undefined || putWall === undefined) return 'unknown'
  const between = maxPain >= Math.min(callWall, putWall) && maxPain <= Math.max(callWall, putWall)
  if (!between) return 'diverging'
  return Math.abs(maxPain - flip) <= 0.005 * spot ? 'converging' : 'moderate'
}
