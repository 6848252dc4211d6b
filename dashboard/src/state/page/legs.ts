/** A number of contracts of one option, bought or sold. */
export interface Leg {
  /** Contracts; negative if sold, never 0. */
  readonly quantity: number
  readonly right: 'C' | 'P'
  /** USD */
  readonly strike: number
  /** yyyy-MM-dd */
  readonly expiry: string
}

const MAX_LEGS = 12
/** A blank stands for a plus, because query strings turn a plus into a blank. */
const LEG = /^([+ -]?)(\d{1,6})([CP])(\d{1,6}(?:\.\d{1,3})?)@(\d{4}-\d\d-\d\d)$/

/** Reads legs such as +1C700@2026-12-18,-1C710@2026-12-18 and skips what is not a leg. */
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

/** The legs as `legsOf` reads them; undefined if there are none. */
export function textOfLegs(legs: readonly Leg[]): string | undefined {
  if (legs.length === 0) return undefined
  return legs
    .slice(0, MAX_LEGS)
    .map(({ quantity, right, strike, expiry }) => {
      return `${quantity < 0 ? '-' : '+'}${Math.abs(quantity)}${right}${strike}@${expiry}`
    })
    .join()
}

/** Adds a leg; if the option is held already, the quantities are summed. */
export function withLeg(legs: readonly Leg[], leg: Leg): readonly Leg[] {
  const isSame = (each: Leg) => each.right === leg.right && each.strike === leg.strike && each.expiry === leg.expiry
  const held = legs.find(isSame)
  if (held === undefined) return [...legs, leg]
  const quantity = held.quantity + leg.quantity
  return legs.flatMap((each) => (each !== held ? [each] : quantity === 0 ? [] : [{ ...held, quantity }]))
}

/** Common structures: quantity, right and distance of the strike from spot in percent. */
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

/** A common structure at the listed strikes closest to it. */
export function shapedLegs(shape: Shape, expiry: string, strikes: readonly number[], spot: number): readonly Leg[] {
  const nearest = (price: number) =>
    strikes.reduce((best, each) => (Math.abs(each - price) < Math.abs(best - price) ? each : best), strikes[0]!)
  const legs = SHAPES[shape].map(([quantity, right, away]): Leg => {
    return { quantity, right, strike: nearest(spot * (1 + away / 100)), expiry }
  })
  return legs.reduce<readonly Leg[]>((all, leg) => withLeg(all, leg), [])
}
