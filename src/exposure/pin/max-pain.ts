import { CALL, CONTRACT_SIZE, known, PUT } from '../../market/chain.ts'
import { memoize } from '../../market/memoize.ts'
import { type StrikeRow, strikesOf, sumOf } from '../by-strike.ts'
import { nearer } from '../levels/key-levels.ts'
import type { Scope } from '../scope.ts'

/** Payoffs of all calls and of all puts if the underlying settled at `strike`, USD. */
export interface PainPoint {
  readonly strike: number
  readonly callPain: number
  readonly putPain: number
}

export const totalPain = (point: PainPoint) => point.callPain + point.putPain

export type HeldStrike = Pick<StrikeRow, 'strike' | 'callOi' | 'putOi' | 'callVolume' | 'putVolume'>

/**
 * Strikes with open interest, ascending. As a function of the settlement price, the total payout is convex and
 * piecewise linear. Its slope changes only at these strikes.
 */
export const heldStrikes = memoize((scope: Scope): readonly HeldStrike[] => {
  const { chain, slots, book } = scope
  const { right, volume: traded } = chain
  const { openInterest } = book
  const { strikes, of } = strikesOf(chain)
  // Plain arrays, because chains have many small expirations and each typed array would need its own buffer.
  const oi = new Array<number>(2 * strikes.length).fill(0)
  const volume = new Array<number>(2 * strikes.length).fill(0)
  for (let n = 0; n < slots.length; n++) {
    const i = slots[n]
    const at = 2 * of[i] + right[i]
    oi[at] += known(openInterest[i])
    volume[at] += known(traded[i])
  }
  const rows: HeldStrike[] = []
  for (let k = 0; k < strikes.length; k++) {
    const call = 2 * k + CALL
    const put = 2 * k + PUT
    if (oi[call] + oi[put] === 0) continue
    rows.push({
      strike: strikes[k],
      callOi: oi[call],
      putOi: oi[put],
      callVolume: volume[call],
      putVolume: volume[put]
    })
  }
  return rows
})

/** Strikes between which the underlying could settle without a change of the payout, which is least there. */
export interface PainBottom {
  readonly low: number
  readonly high: number
}

/**
 * Place where the payout of all options is least: a single strike, or the stretch between two strikes with open interest if
 * the payout is equal at both. Undefined without open interest.
 */
export const painBottom = memoize((scope: Scope): PainBottom | undefined => {
  const rows = heldStrikes(scope)
  if (rows.length === 0) return undefined
  let paid = sumOf(rows, (row) => row.putOi * (row.strike - rows[0].strike))
  let passedCalls = 0
  let openPuts = sumOf(rows, (row) => row.putOi)
  let least = Infinity
  let [low, high] = [0, 0]
  rows.forEach(({ strike, callOi, putOi }, k) => {
    // From one strike to the next, the calls already passed gain and the puts not yet reached lose.
    if (k > 0) paid += (passedCalls - openPuts) * (strike - rows[k - 1].strike)
    passedCalls += callOi
    openPuts -= putOi
    const cents = Math.round(100 * CONTRACT_SIZE * paid)
    if (cents > least) return
    if (cents < least) low = strike
    least = cents
    high = strike
  })
  return { low, high }
})

/**
 * Rows of `heldStrikes`, and of max pain if nobody holds a contract there, which happens in a flat bottom only. Ascending.
 */
export const painStrikes = memoize((scope: Scope): readonly HeldStrike[] => {
  const rows = heldStrikes(scope)
  const strike = maxPain(scope)
  if (strike === undefined || rows.some((row) => row.strike === strike)) return rows
  const { chain, slots } = scope
  const volumeOf = (right: number) =>
    sumOf(
      Array.from(slots).filter((i) => chain.strike[i] === strike && chain.right[i] === right),
      (i) => known(chain.volume[i])
    )
  const row = { strike, callOi: 0, putOi: 0, callVolume: volumeOf(CALL), putVolume: volumeOf(PUT) }
  return [...rows, row].sort((a, b) => a.strike - b.strike)
})

/**
 * Payoff of all options if the underlying settled at each of `painStrikes`. Two sweeps over the strikes compute it in
 * linear time.
 */
export const painCurve = memoize((scope: Scope): readonly PainPoint[] => {
  const rows = painStrikes(scope)
  const callPain = sweep(rows, (row) => row.callOi)
  const putPain = sweep(rows.toReversed(), (row) => row.putOi).toReversed()
  return rows.map(({ strike }, k) => ({ strike, callPain: callPain[k], putPain: putPain[k] }))
})

/**
 * Walks over the strikes from one end to the other. Returns, for each strike, the payout of the contracts at the
 * strikes passed before.
 */
function sweep(rows: readonly HeldStrike[], contracts: (row: HeldStrike) => number): number[] {
  let inTheMoney = 0
  let pain = 0
  return rows.map((row, k) => {
    if (k > 0) pain += inTheMoney * Math.abs(row.strike - rows[k - 1].strike) * CONTRACT_SIZE
    inTheMoney += contracts(row)
    return pain
  })
}

/**
 * Max pain: the strike at which option holders would receive least. In a flat bottom it is the listed strike nearest to
 * spot, in a tie the lower one. Undefined without open interest.
 */
export const maxPain = memoize((scope: Scope): number | undefined => {
  const bottom = painBottom(scope)
  if (bottom === undefined || bottom.low === bottom.high) return bottom?.low
  const { chain, slots } = scope
  let best = bottom.low
  for (const i of slots) {
    const { [i]: strike } = chain.strike
    if (strike >= bottom.low && strike <= bottom.high && nearer(strike, best, chain.spot)) best = strike
  }
  return best
})

export function totalOpenInterest(scope: Scope): number {
  return sumOf(heldStrikes(scope), (row) => row.callOi + row.putOi)
}
