import type { AmericanTerms } from '../american-volatility.ts'
import type { ProportionalDividend } from '../dividends/dividend-terms.ts'
import { premiumTables, type VolatilityRange } from '../premium-table.ts'
import {
  contractsOf,
  type ImpliedForward,
  MIN_VARIANCE,
  type PairContracts,
  type QuotedPairs,
  weightedForward
} from './weighted-forward.ts'

export interface PairTerms {
  readonly spot: number
  /** Years to expiry. */
  readonly t: number
  /** Continuously compounded, an annual fraction. */
  readonly rate: number
  /** Dividends before expiry, ascending; absent if a continuous yield represents them. */
  readonly dividends?: readonly ProportionalDividend[] | undefined
}

/**
 * Step between the yields at which forwards are first computed, and its least size in ln F. Few yields are used while
 * the forward stays near, so that their tables stay cached. Between two of them the implied forward is linear.
 */
const YIELD_NODES = 2 ** -9
const MIN_NODES = 2e-4
const MAX_BEYOND = 1
const MAX_MOVES = 4
const MAX_ROUNDS = 3
/**
 * Least and greatest steps of ln F to which a yield is rounded: a tenth of a basis point, and more if quotes are wide.
 */
const MIN_FORWARD_STEP = 1e-5
const MAX_FORWARD_STEP = 3.2e-4

export function termsWithForward(terms: PairTerms, forward: number): PairTerms & AmericanTerms {
  const { spot, t, rate, dividends } = terms
  const dividendYield = rate - Math.log(forward / spot) / t
  return { spot, t, rate, dividends, dividendYield, forward, discount: Math.exp(-rate * t) }
}

function termsWithYield({ spot, t, rate, dividends }: PairTerms, dividendYield: number): PairTerms & AmericanTerms {
  const forward = spot * Math.exp((rate - dividendYield) * t)
  return { spot, t, rate, dividends, dividendYield, forward, discount: Math.exp(-rate * t) }
}

export interface AmericanForward extends ImpliedForward {
  readonly dividendYield: number
}

/**
 * Forward of an expiration from all its call-put pairs. It is the fixed point of two steps: a yield gives
 * early-exercise premiums, and pairs without these premiums give a forward, hence a yield. Forwards computed at two
 * yields on even nodes, starting from that of the `first` forward (parity of the raw prices), show how the forward
 * moves. The forward is then computed where the line through them points, on the step of `yieldStep`, until the change
 * is within a quarter of its error. The tables cover `range`. Undefined if no pair implies a forward.
 */
export function americanForward(
  terms: PairTerms,
  pairs: QuotedPairs,
  first: number,
  range: VolatilityRange
): AmericanForward | undefined {
  const contracts = contractsOf(termsWithForward(terms, first), pairs)
  const line = missByYield(terms, pairs, contracts, first, range)
  if (line === undefined) return undefined
  const step = yieldStep(terms, pairs, first)
  const onStep = (dividendYield: number) => termsWithYield(terms, step * Math.round(dividendYield / step))
  let here = onStep(line.root)
  for (let round = 1; ; round++) {
    const found = weightedForward(here, premiumTables(here, range), pairs, contracts)
    if (found === undefined) return undefined
    const beyond = Math.log(found.forward / here.forward) / line.slope
    const isNear = Math.abs(beyond) * terms.t <= found.error / (4 * here.forward)
    here = onStep(here.dividendYield - beyond)
    if (isNear || round === MAX_ROUNDS) return { ...found, forward: here.forward, dividendYield: here.dividendYield }
  }
}

/**
 * Root and slope of a function of the yield: ln F implied by the pairs at that yield, minus ln F of the yield itself.
 * Starts at the node nearest to the `first` forward and moves to the node nearest to where the line points, until the
 * root lies there.
 */
function missByYield(
  terms: PairTerms,
  pairs: QuotedPairs,
  contracts: PairContracts,
  first: number,
  range: VolatilityRange
): { readonly root: number; readonly slope: number } | undefined {
  const node = Math.max(YIELD_NODES, powerOfTwo(MIN_NODES / terms.t))
  const missAt = (k: number) => {
    const under = termsWithYield(terms, k * node)
    const found = weightedForward(under, premiumTables(under, range, true), pairs, contracts)
    return found && Math.log(found.forward / under.forward)
  }
  let k = Math.round(termsWithForward(terms, first).dividendYield / node)
  let miss = missAt(k)
  if (miss === undefined) return undefined
  for (let move = 1; ; move++) {
    const towards = -miss / (node * terms.t)
    const next = k + (Math.round(towards) || (towards < 0 ? -1 : 1))
    const nextMiss = missAt(next)
    if (nextMiss === undefined) return undefined
    const slope = (nextMiss - miss) / ((next - k) * node)
    // Without early exercise the slope is t; early exercise takes some of that away, but never most of it.
    const usable = slope > 0.1 * terms.t ? slope : terms.t
    const root = next * node - nextMiss / usable
    if (Math.abs(root - next * node) <= MAX_BEYOND * node || move === MAX_MOVES) return { root, slope: usable }
    k = next
    miss = nextMiss
  }
}

/**
 * Step to which the yield of an expiration is rounded. A forward that moves within half of its error, from the spreads
 * of its pairs, keeps its yield and therefore its tables.
 */
function yieldStep({ t }: PairTerms, pairs: QuotedPairs, forward: number): number {
  let weight = 0
  for (const halfSpreads of pairs.halfSpreads) weight += 1 / (halfSpreads ** 2 + MIN_VARIANCE)
  const error = 1 / (2 * forward * Math.sqrt(weight))
  return powerOfTwo(Math.min(Math.max(error, MIN_FORWARD_STEP), MAX_FORWARD_STEP) / t)
}

/** Greatest power of two not above x: neither passing time nor a slightly wider quote changes it. */
function powerOfTwo(x: number): number {
  return 2 ** Math.floor(Math.log2(x))
}
