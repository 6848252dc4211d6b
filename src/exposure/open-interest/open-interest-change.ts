import { CALL, type Chain, known } from '../../market/chain.ts'
import { memoizePair } from '../../market/memoize.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { expirationOfSlots, liveScope, type Scope } from '../scope.ts'

export interface OpenInterestChange {
  readonly slot: number
  readonly today: number
  readonly prior: number
  readonly change: number
}

export interface OpenInterestChanges {
  readonly callChange: number
  readonly putChange: number
  /**
   * Changes other than 0, largest first. Changes of equal size are ordered by higher open interest, nearer expiration,
   * lower strike, then call before put.
   */
  readonly ranked: readonly OpenInterestChange[]
}

/**
 * For each slot of a chain, the slot of the same contract in an earlier chain; -1 if it was not listed then. Contracts
 * are the same if root, expiration, strike and right are equal, so AM- and PM-settled options of a date are not
 * confused.
 */
export const slotsBefore = memoizePair((chain: Chain, prior: Chain): Int32Array => {
  const of = new Int32Array(chain.size).fill(-1)
  const before = new Map(prior.expirations.map((listed) => [`${listed.root} ${listed.date}`, listed]))
  for (const { root, date, start, end } of chain.expirations) {
    const listed = before.get(`${root} ${date}`)
    if (listed === undefined) continue
    let k = listed.start
    for (let i = start; i < end; i++) {
      while (k < listed.end && comesBefore(prior, k, chain, i)) k++
      const same = k < listed.end && prior.strike[k] === chain.strike[i] && prior.right[k] === chain.right[i]
      if (same) of[i] = k
    }
  }
  return of
})

/**
 * The prior day's open interest for each slot of today's chain. -1 if the contract was not listed then, or if its open
 * interest is unknown.
 */
export const priorOpenInterest = memoizePair(
  (chain: PricedChain, prior: PricedChain): Int32Array =>
    slotsBefore(chain, prior).map((slot) => (slot < 0 ? -1 : prior.openInterest[slot]))
)

function comesBefore(a: Chain, i: number, b: Chain, k: number): boolean {
  return a.strike[i] < b.strike[k] || (a.strike[i] === b.strike[k] && a.right[i] < b.right[k])
}

/**
 * Change of open interest at a strike since the prior day, for calls and for puts. Undefined if no such contract was
 * listed on both days.
 */
export interface StrikeChange {
  call: number | undefined
  put: number | undefined
}

/**
 * Changes of open interest by strike since the prior day, over those contracts of a scope that were listed on both
 * days.
 */
export function changesByStrike(scope: Scope, prior: PricedChain): ReadonlyMap<number, Readonly<StrikeChange>> {
  const { chain } = scope
  const before = priorOpenInterest(chain, prior)
  const changes = new Map<number, StrikeChange>()
  for (const i of scope.slots) {
    if (before[i] < 0 || chain.openInterest[i] < 0) continue
    let row = changes.get(chain.strike[i])
    if (row === undefined) changes.set(chain.strike[i], (row = { call: undefined, put: undefined }))
    const change = chain.openInterest[i] - before[i]
    if (chain.right[i] === CALL) row.call = (row.call ?? 0) + change
    else row.put = (row.put ?? 0) + change
  }
  return changes
}

/** Changes of open interest since the prior day, over all unexpired contracts of a chain. */
export const openInterestChanges = memoizePair((chain: PricedChain, prior: PricedChain): OpenInterestChanges => {
  const before = priorOpenInterest(chain, prior)
  const moved: OpenInterestChange[] = []
  let callChange = 0
  let putChange = 0
  for (const slot of liveScope(chain).slots) {
    if (before[slot] < 0 || chain.openInterest[slot] < 0) continue
    const change = chain.openInterest[slot] - before[slot]
    if (chain.right[slot] === CALL) callChange += change
    else putChange += change
    if (change !== 0) moved.push({ slot, today: chain.openInterest[slot], prior: before[slot], change })
  }
  return { callChange, putChange, ranked: moved.sort(bySize(chain)) }
})

function bySize(chain: PricedChain) {
  const expirationOf = expirationOfSlots(chain)
  return (a: OpenInterestChange, b: OpenInterestChange) =>
    Math.abs(b.change) - Math.abs(a.change) ||
    b.today - a.today ||
    expirationOf[a.slot] - expirationOf[b.slot] ||
    chain.strike[a.slot] - chain.strike[b.slot] ||
    chain.right[a.slot] - chain.right[b.slot]
}

/**
 * The `count` changes that a narrative text mentions: the largest ones, then those with more volume today, then those
 * with the lower strike.
 */
export function mostTalkedAbout(chain: PricedChain, changes: OpenInterestChanges, count: number) {
  return changes.ranked
    .toSorted(
      (a, b) =>
        Math.abs(b.change) - Math.abs(a.change) ||
        known(chain.volume[b.slot]) - known(chain.volume[a.slot]) ||
        chain.strike[a.slot] - chain.strike[b.slot]
    )
    .slice(0, count)
}
