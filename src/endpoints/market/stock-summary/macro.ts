import Type from 'typebox'
import { IndexPoints, Nullable, Percent, Score, Words } from '../../../api/quantity.ts'
import type { Macro, MacroLevel } from '../../../market/macro.ts'
import { fearAndGreedRating, fearAndGreedRatings } from '../../../wording/macro.ts'

const index = Nullable(
  Type.Object({
    value: IndexPoints(),
    change: Nullable(IndexPoints('against the close before')),
    change_pct: Nullable(Percent())
  })
)
const points = () => Nullable(IndexPoints('', { minimum: 0 }))
const shape = Words('contango', 'backwardation')

export const macro = Type.Object({
  vix: index,
  vvix: index,
  skew: index,
  spx: index,
  move: index,
  vix_term_structure: Nullable(
    Type.Object({
      levels: Type.Object({ vix9d: points(), vix: points(), vix3m: points(), vix6m: points() }),
      near_slope_pct: Nullable(Percent('100 (vix - vix9d) / vix9d')),
      structure: shape
    })
  ),
  vix_futures: Nullable(
    Type.Object(
      {
        front_month: IndexPoints('the three-month index'),
        spot: IndexPoints('the VIX'),
        spread: IndexPoints('front_month minus spot'),
        basis_pct: Percent('100 spread / spot'),
        basis: shape
      },
      { description: 'approximated from the levels of the indexes, not from futures' }
    )
  ),
  fear_and_greed: Nullable(Type.Object({ score: Score(), rating: Words(...fearAndGreedRatings) }))
})

/** What nobody quotes is null; the shape of the term structure needs the VIX and its three-month sibling. */
export function wireMacro({ levels, fearAndGreed }: Macro) {
  const { vix, vix9d, vix3m, vix6m, vvix, skew, spx, move } = levels
  const known = vix === undefined || vix3m === undefined ? undefined : { near: vix.value, far: vix3m.value }
  return {
    vix: wireIndex(vix),
    vvix: wireIndex(vvix),
    skew: wireIndex(skew),
    spx: wireIndex(spx),
    move: wireIndex(move),
    vix_term_structure: known && {
      levels: { vix9d: vix9d?.value, vix: known.near, vix3m: known.far, vix6m: vix6m?.value },
      near_slope_pct: vix9d && (100 * (known.near - vix9d.value)) / vix9d.value,
      structure: shapeOf(known.far - known.near)
    },
    vix_futures: known && wireFutures(known.near, known.far),
    fear_and_greed: fearAndGreed === undefined ? undefined : wireMood(Math.round(fearAndGreed))
  }
}

function wireIndex(level: MacroLevel | undefined) {
  if (level === undefined) return undefined
  const { value, previous } = level
  const change = previous === undefined ? undefined : value - previous
  return { value, change, change_pct: change === undefined || !previous ? undefined : (100 * change) / previous }
}

function wireFutures(spot: number, front: number) {
  const spread = front - spot
  return { front_month: front, spot, spread, basis_pct: (100 * spread) / spot, basis: shapeOf(spread) }
}

function wireMood(score: number) {
  return { score, rating: fearAndGreedRating(score) }
}

/** Level with each other counts as contango. */
function shapeOf(spread: number): 'contango' | 'backwardation' {
  return spread >= 0 ? 'contango' : 'backwardation'
}
