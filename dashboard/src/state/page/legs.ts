/** A leg of a structure: so many options of one kind, bought or sold. */
export interface Leg {
  /** contracts; negative where they are sold, never 0 */
  readonly quantity: number
  readonly right: 'C' | 'P'
  /** USD */
  readonly strike: number
  /** yyyy-MM-dd */
  readonly expiry: string
}

/** More legs are no structure that somebody holds in mind. */
const MAX_LEGS = 12
/** A blank stands for a plus: that is how queries are read. */
const LEG = /^([+ -]?)(\d{1,6})([CP])(\d{1,6}(?:\.\d{1,3})?)@(\d{4}-\d\d-\d\d)$/

/** The legs of a text such as +1C700@2026-12-18,-1C710@2026-12-18; what is no leg is left out. */
export function legsOf(text: string | null | undefined): readonly Leg[] {
  const legs = (text ?? '').split(',').flatMap((each): readonly Leg[] => {
    const [, sign, count, right, strike, expiry] = LEG.exec(each) ?? []
    const leg = {
      quantity: Number(count) * (sign === '-' ? -1 : 1),
      right: right === 'P' ? 'P' : 'C',
      strike: Number(strike),
      expiry: expiry ?? ''
    } as const
    return leg.quantity !== 0 && leg.strike > 0 ? [leg] : []
  })
  return legs.slice(0, MAX_LEGS)
}

/** The same as text; undefined where there are none. */
export function textOfLegs(legs: readonly Leg[]): string | undefined {
  if (legs.length === 0) return undefined
  return legs
    .slice(0, MAX_LEGS)
    .map(({ quantity, right, strike, expiry }) => {
      return `${quantity < 0 ? '-' : '+'}${Math.abs(quantity)}${right}${strike}@${expiry}`
    })
    .join()
}

/** The legs with one more; where the same option is held already, their counts are added. */
export function withLeg(legs: readonly Leg[], leg: Leg): readonly Leg[] {
  const isSame = (each: Leg) => each.right === leg.right && each.strike === leg.strike && each.expiry === leg.expiry
  const held = legs.find(isSame)
  if (held === undefined) return [...legs, leg]
  const quantity = held.quantity + leg.quantity
  return legs.flatMap((each) => (each !== held ? [each] : quantity === 0 ? [] : [{ ...held, quantity }]))
}

/** Structures that are often started from, and how far from spot their strikes lie, percent. */
const SHAPES = {
  'Call spread': [
    [1, 'C', 0],
    [-1, 'C', 2]
  ],
  'Put spread': [
    [1, 'P', 0],
    [-1, 'P', -2]
  ],
  Straddle: [
    [1, 'C', 0],
    [1, 'P', 0]
  ],
  'Iron condor': [
    [1, 'P', -4],
    [-1, 'P', -2.5],
    [-1, 'C', 2.5],
    [1, 'C', 4]
  ],
  Butterfly: [
    [1, 'C', -2],
    [-2, 'C', 0],
    [1, 'C', 2]
  ]
} as const satisfies Readonly<Record<string, readonly (readonly [number, 'C' | 'P', number])[]>>

export type Shape = keyof typeof SHAPES
export const SHAPE_NAMES = Object.keys(SHAPES) as readonly Shape[]

/** A structure of listed strikes around spot. */
export function shapedLegs(shape: Shape, expiry: string, strikes: readonly number[], spot: number): readonly Leg[] {
  const nearest = (price: number) =>
    strikes.reduce((best, each) => (Math.abs(each - price) < Math.abs(best - price) ? each : best), strikes[0]!)
  const legs = SHAPES[shape].map(([quantity, right, away]): Leg => {
    return { quantity, right, strike: nearest(spot * (1 + away / 100)), expiry }
  })
  return legs.reduce<readonly Leg[]>((all, leg) => withLeg(all, leg), [])
}
