import { known } from '../../market/chain.ts'
import { fillGreeksOf } from '../../pricing/by-exercise.ts'
import type { Carry } from '../../pricing/carry.ts'
import { movedGreeks } from '../../pricing/moved-chain.ts'
import { type PricedChain, refillClockGreeks } from '../../pricing/price-chain.ts'
import { unitBook } from '../book.ts'
import { netExposures } from '../net.ts'
import { slotsBefore } from '../open-interest/open-interest-change.ts'
import { expirationOfSlots, type Scope } from '../scope.ts'
import { contractExposures, type Measure } from './contributions.ts'

/**
 * Causes to which a change of net exposure is attributed, for contracts that both chains have. They are the players of
 * the Shapley value.
 */
export const players = ['open_interest', 'time', 'spot', 'volatility', 'carry'] as const
export type Player = (typeof players)[number]

/** A change of net exposure in USD, split into its causes: `to` - `from` = `listing` + the sum of `players`. */
export interface Attribution {
  readonly from: number
  readonly to: number
  /**
   * Exposure of the contracts that are priced in only one of the two chains, because they expired, are newly listed, or
   * have no volatility in the other chain.
   */
  readonly listing: number
  readonly players: Readonly<Record<Player, number>>
}

/** Numbers of contracts: in both chains, only in the earlier one, and only in the later one. */
export interface SharedContracts {
  readonly common: number
  readonly sinceOnly: number
  readonly nowOnly: number
}

/**
 * Explains how four net exposures changed from the scope of an earlier chain A to the scope of a later chain B.
 *
 * A contract is common if it is in both scopes and has a volatility in both. For common contracts, the parts are
 * Shapley values of five players: open interest, time to expiry (with the dividends until then), spot, the volatility
 * of each contract, and carry (rate and yields of each expiration). Each player takes its value from A or from B. With
 * v(P) the exposure if the players in P take their values from B,
 *
 *     φ = Σ over P without the player |P|! (4 - |P|)! / 5! (v(P + player) - v(P))
 *
 * So no order of the players is preferred, and the parts add up to the whole change. Exposures are linear in open
 * interest, so 16 evaluations of the greeks are enough for the 32 sums.
 *
 * Source: Shapley (1953), A Value for n-Person Games, Contributions to the Theory of Games II.
 */
export function attribution(before: Scope, now: Scope) {
  const common = commonSlots(before, now)
  const values = worths(before, now, common)
  const parts = Object.fromEntries(
    measures.map((measure, m) => [
      measure,
      partsOf(values, m, netExposures(before)[measure], netExposures(now)[measure])
    ])
  ) as Readonly<Record<Measure, Attribution>>
  const contracts: SharedContracts = {
    common: common.length,
    sinceOnly: before.slots.length - common.length,
    nowOnly: now.slots.length - common.length
  }
  return { parts, contracts }
}

const measures = Object.keys(contractExposures) as readonly Measure[]

interface CommonSlot {
  readonly a: number
  readonly b: number
}

function commonSlots(before: Scope, now: Scope): readonly CommonSlot[] {
  const inScope = new Set(before.slots)
  const slots = slotsBefore(now.chain, before.chain)
  return Array.from(now.slots, (b) => ({ a: slots[b], b })).filter(
    ({ a, b }) => inScope.has(a) && !Number.isNaN(before.chain.sigma[a]) && !Number.isNaN(now.chain.sigma[b])
  )
}

const bitOf = Object.fromEntries(players.map((player, k) => [player, 1 << k])) as Readonly<Record<Player, number>>
const EVERYONE = (1 << players.length) - 1

/**
 * Exposures of the common contracts for every set of players that take their values from B. There is one array per set,
 * with one entry per measure.
 */
function worths(before: Scope, now: Scope, common: readonly CommonSlot[]): readonly Float64Array[] {
  const [a, b] = [before.chain, now.chain]
  const all: Float64Array[] = []
  const columns = movedGreeks(b.size)
  for (let set = 0; set <= EVERYONE; set += 2) {
    // The empty and the full set use the chains as they were priced, so that the parts add up exactly to the total
    // change.
    const [chain, isOfA] =
      set === 0 ? [a, true] : set === (EVERYONE & ~1) ? [b, false] : [mixed(a, b, common, set, columns), false]
    const held = { chain, book: unitBook(chain) }
    const sums = [0, 1].map(() => new Float64Array(measures.length))
    for (const slot of common) {
      const [openA, openB] = [known(before.book.openInterest[slot.a]), known(now.book.openInterest[slot.b])]
      measures.forEach((measure, m) => {
        const each = contractExposures[measure](held, isOfA ? slot.a : slot.b)
        sums[0][m] += each * openA
        sums[1][m] += each * openB
      })
    }
    all[set] = sums[0]
    all[set | bitOf.open_interest] = sums[1]
  }
  return all
}

/** Chain B, except that all players outside the set take their values from A. Its greeks are written to `columns`. */
function mixed(
  a: PricedChain,
  b: PricedChain,
  common: readonly CommonSlot[],
  set: number,
  columns: ReturnType<typeof movedGreeks>
): PricedChain {
  const at = (player: Player) => (set & bitOf[player]) !== 0
  const [expirationInA, expirationInB] = [expirationOfSlots(a), expirationOfSlots(b)]
  const sigma = Float64Array.from(b.sigma)
  const earlier = new Map<number, Carry>()
  for (const slot of common) {
    if (!at('volatility')) sigma[slot.b] = a.sigma[slot.a]
    earlier.set(expirationInB[slot.b], a.carries[expirationInA[slot.a]])
  }
  const carries = b.carries.map((carry, k) => mixedCarry(earlier.get(k) ?? carry, carry, at))
  const chain = { ...b, ...columns, spot: (at('spot') ? b : a).spot, carries, sigma }
  for (const k of earlier.keys()) {
    const { start, end } = b.expirations[k]
    fillGreeksOf(carries[k], b.strike, b.right, sigma, start, end, columns)
    if (!b.onForward) refillClockGreeks(chain, k)
  }
  return chain
}

function mixedCarry(a: Carry, b: Carry, at: (player: Player) => boolean): Carry {
  const { days, t, dividends } = at('time') ? b : a
  const { spot, exposureSpot } = at('spot') ? b : a
  const { rate, dividendYield, expectedYield, clockYield, fromParity } = at('carry') ? b : a
  const { american } = at('volatility') ? b : a
  const forward = spot * Math.exp((rate - dividendYield) * t)
  const carried = { rate, dividendYield, expectedYield, clockYield, fromParity }
  return { days, t, dividends, spot, exposureSpot, ...carried, american, forward, discount: Math.exp(-rate * t) }
}

function partsOf(values: readonly Float64Array[], m: number, from: number, to: number): Attribution {
  const shares = players.map((player) => [player, shapleyValue((set) => values[set][m], bitOf[player])])
  const ofCommon = values[EVERYONE][m] - values[0][m]
  return { from, to, listing: to - from - ofCommon, players: Object.fromEntries(shares) as Record<Player, number> }
}

const factorial = [1, 1, 2, 6, 24, 120]

function shapleyValue(worth: (set: number) => number, bit: number): number {
  let value = 0
  for (let set = 0; set <= EVERYONE; set++) {
    if ((set & bit) !== 0) continue
    const others = players.filter((_, k) => (set & (1 << k)) !== 0).length
    const weight = (factorial[others] * factorial[players.length - 1 - others]) / factorial[players.length]
    value += weight * (worth(set | bit) - worth(set))
  }
  return value
}
