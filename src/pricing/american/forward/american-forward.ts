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

/** What pairs and forward are about, without the forward itself. */
export interface PairTerms {
  readonly spot: number
  /** Years to expiry. */
  readonly t: number
  /** Continuously compounded, an annual fraction. */
  readonly rate: number
  /** Before expiry, ascending; absent where a continuous yield stands for them. */
  readonly dividends?: readonly ProportionalDividend[] | undefined
}

/**
 * Distance of the yields at which pairs are read to begin with, and about the least distance of their ln F: the same few for
 * as long as the forward stays near, so that their grids are at hand. Between two of them what the pairs imply is a line.
 */
const YIELD_NODES = 2 ** -9
const MIN_NODES = 2e-4
/** How many nodes beyond the last one the line is followed. */
const MAX_BEYOND = 1
/** How often the line may lead to another node, and how often the forward is read again where it leads to. */
const MAX_MOVES = 4
const MAX_ROUNDS = 3
/** Steps of ln F that a yield is held on: a tenth of a basis point, and up to three where quotes are wide. */
const MIN_FORWARD_STEP = 1e-5
const MAX_FORWARD_STEP = 3.2e-4

/** The terms of an expiration under a forward. */
export function termsWithForward(terms: PairTerms, forward: number): PairTerms & AmericanTerms {
  const { spot, t, rate, dividends } = terms
  const dividendYield = rate - Math.log(forward / spot) / t
  return { spot, t, rate, dividends, dividendYield, forward, discount: Math.exp(-rate * t) }
}

function termsWithYield({ spot, t, rate, dividends }: PairTerms, dividendYield: number): PairTerms & AmericanTerms {
  const forward = spot * Math.exp((rate - dividendYield) * t)
  return { spot, t, rate, dividends, dividendYield, forward, discount: Math.exp(-rate * t) }
}

/** A forward and the yield that goes with it, for which early exercise was taken off. */
export interface AmericanForward extends ImpliedForward {
  readonly dividendYield: number
}

/**
 * Forward of an expiration from all its pairs, weighted under the yield that they imply themselves: where the forward that
 * follows from a yield is the one it follows from. Two yields on even nodes, sought from that of the `first` forward, parity of
 * the raw prices, show how it moves; it is then read where they lead, on a step of its own, see `yieldStep`, until that is
 * within a quarter of its error, and their line leads the rest of the way. The grids cover the range of volatilities, see
 * `volatilityRange`. Undefined without a pair that tells.
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
 * Where ln F of the pairs less that of the yield they were read at crosses zero, and how it changes with the yield: from the
 * node nearest to the `first` forward to the one nearest to where it points, until that one lies by the crossing.
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
    const missThere = missAt(next)
    if (missThere === undefined) return undefined
    const slope = (missThere - miss) / ((next - k) * node)
    // The forward alone makes it t: early exercise takes some of that away, and never most of it.
    const usable = slope > 0.1 * terms.t ? slope : terms.t
    const root = next * node - missThere / usable
    if (Math.abs(root - next * node) <= MAX_BEYOND * node || move === MAX_MOVES) return { root, slope: usable }
    k = next
    miss = missThere
  }
}

/**
 * The step that the yield of an expiration is held on: a forward that moves within half of its error, as the spreads of
 * its pairs have it, keeps its yield, and with it its grids.
 */
function yieldStep({ t }: PairTerms, pairs: QuotedPairs, forward: number): number {
  let weight = 0
  for (const halfSpreads of pairs.halfSpreads) weight += 1 / (halfSpreads ** 2 + MIN_VARIANCE)
  const error = 1 / (2 * forward * Math.sqrt(weight))
  return powerOfTwo(Math.min(Math.max(error, MIN_FORWARD_STEP), MAX_FORWARD_STEP) / t)
}

/** The greatest power of two that is no more: neither time that passes nor a quote that widens a little moves it. */
function powerOfTwo(x: number): number {
  return 2 ** Math.floor(Math.log2(x))
}
