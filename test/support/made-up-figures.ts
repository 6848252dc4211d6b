import { figureRow } from '../../src/endpoints/series/row.ts'
import type { FigureColumns, FigureRequest } from '../../src/market/figure-row.ts'
import type { PricedChain } from '../../src/pricing/price-chain.ts'

/** Figures of the moment of a chain and of a minute before it, where there are others or none; a stretch that waits. */
export function madeUpFigures(chain: PricedChain, { fields }: Pick<FigureRequest, 'fields'>): FigureColumns {
  const { asOf } = chain
  const { figures } = figureRow(chain, undefined)
  const now = fields.map((name) => figures[name] ?? Number.NaN)
  const waiting = [{ from: asOf - 180_000, to: asOf - 120_000 }]
  return {
    t: Float64Array.of(asOf - 60_000, asOf),
    columns: now.map((figure, k) => Float64Array.of(k % 2 === 0 ? figure + 1 : Number.NaN, figure)),
    waiting
  }
}
