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
  /** Interest rate, continuously compounded, an annual fraction. */
  readonly rate: number
  /** Dividends before expiry, ascending by time. Absent if a continuous yield represents them. */
  readonly dividends?: readonly ProportionalDividend[] | undefined
}

/**
 * Step between the yields at which forwards are first computed; `MIN_NODES` is its least size as a change of ln F. The
 * step is coarse so that few different yields occur while the forward moves little, and their tables stay in the cache.
 * Between two of these yields the implied forward is nearly linear.
 */
const YIELD_NODES = 2 ** -9
const MIN_NODES = 2e-4
const MAX_BEYOND = 1
const MAX_MOVES = 4
const MAX_ROUNDS = 3
/**
 * Least and greatest step to which a yield is rounded, expressed as a change of ln F. The least step is a tenth of a
 * basis point; wide quotes allow a greater one.
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
 * Computes the forward of an expiration from all its call-put pairs. The forward and the early-exercise premiums depend
 * on each other: a yield gives premiums, and the pairs without these premiums give a forward and hence a yield. The
 * result is the yield at which both agree.
 * The search begins at the yield of the `first` forward, which is put-call parity of the raw prices. Forwards at two
 * yields, both multiples of a coarse step, define a line that predicts the yield. The forward is then computed there,
 * with the yield rounded to `yieldStep`, until it changes by at most a quarter of its error. The tables cover the
 * volatilities in `range`. Undefined if no pair implies a forward.
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
 * Approximates a function of the yield by a line. The function is the ln F that the pairs imply at a yield, minus the
 * ln F that belongs to this yield. Returns the yield at which the line is zero, and its slope. The function is computed
 * at multiples of the coarse step, beginning near the yield of the `first` forward. Each further multiple is the one
 * nearest to the zero of the last line, until that zero is close by.
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
 * Step to which the yield of an expiration is rounded. It is so large that a forward that moves within half of its own
 * error keeps its yield, and therefore its tables. The error follows from the spreads of the pairs.
 */
function yieldStep({ t }: PairTerms, pairs: QuotedPairs, forward: number): number {
  let weight = 0
  for (const halfSpreads of pairs.halfSpreads) weight += 1 / (halfSpreads ** 2 + MIN_VARIANCE)
  const error = 1 / (2 * forward * Math.sqrt(weight))
  return powerOfTwo(Math.min(Math.max(error, MIN_FORWARD_STEP), MAX_FORWARD_STEP) / t)
}

/**
 * Greatest power of two that is not above x. Steps are rounded to it so that passing time or a slightly wider quote
 * rarely changes them.
 */
function powerOfTwo(x: number): number {
  return 2 ** Math.floor(Math.log2(x))
}
