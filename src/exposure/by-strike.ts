import { known } from '../market/chain.ts'
import { memoize } from '../market/memoize.ts'
import type { StrikeSums } from '../market/strike-sums.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { gammaDollars, greekDollars, underlyingOf } from './contract-exposure.ts'
import { charmAhead } from './decay-ahead.ts'
import { carriesExposure, isOpenAndPriced, liveScope, type Scope } from './scope.ts'

/**
 * Sums over all contracts of one strike. Exposures are in USD as in `contract-exposure.ts`. Counts are numbers of
 * contracts.
 */
export interface StrikeRow {
  readonly strike: number
  readonly callGex: number
  readonly putGex: number
  readonly callDex: number
  readonly putDex: number
  readonly callVex: number
  readonly putVex: number
  readonly callChex: number
  readonly putChex: number
  /** Delta-adjusted gamma exposure: the sum over calls and puts of |delta| × gamma exposure, USD per 1 % move. */
  readonly dag: number
  readonly callOi: number
  readonly putOi: number
  readonly callVolume: number
  readonly putVolume: number
}

/** One row for each listed strike of a scope, ascending. The rows are cached, so callers must not change them. */
export const byStrike = memoize((scope: Scope): readonly StrikeRow[] => {
  const { chain, slots } = scope
  const { openInterest, position } = scope.book
  const { right, volume, gamma, delta, vanna } = chain
  const charm = charmAhead(chain)
  const { strikes, of } = strikesOf(chain)
  // The sums of a strike's calls share one cache line, and so do the sums of its puts.
  const sums = zeroed(STRIKE * strikes.length)
  for (let n = 0; n < slots.length; n++) {
    const i = slots[n]
    const at = FIGURES * (2 * of[i] + right[i])
    sums[at + LISTED] = 1
    sums[at + VOLUME] += known(volume[i])
    sums[at + OI] += known(openInterest[i])
    if (!isOpenAndPriced(scope, i) && !carriesExposure(scope, i)) continue
    const underlying = underlyingOf(scope, i)
    const held = position[i]
    const gex = gammaDollars(gamma[i], held, underlying)
    sums[at + GEX] += gex
    sums[at + DEX] += greekDollars(delta[i], openInterest[i], underlying)
    sums[at + VEX] += greekDollars(vanna[i], held, underlying)
    sums[at + CHEX] += greekDollars(charm[i], held, underlying)
    sums[at + DAG] += Math.abs(delta[i]) * gex
  }
  const listed: number[] = []
  for (let k = 0; k < strikes.length; k++) {
    if (sums[STRIKE * k + LISTED] + sums[STRIKE * k + FIGURES + LISTED] > 0) listed.push(k)
  }
  const kept = new Float64Array(STRIKE * listed.length)
  return listed.map((k, at) => {
    for (let figure = 0; figure < STRIKE; figure++) kept[STRIKE * at + figure] = sums[STRIKE * k + figure]
    return new SummedStrike(strikes[k], kept, STRIKE * at)
  })
})

let scratch = new Float64Array(0)

/** Working memory filled with zeros. It is valid until the next call. */
function zeroed(length: number): Float64Array {
  if (scratch.length < length) scratch = new Float64Array(length)
  return scratch.fill(0, 0, length)
}

/** Rows of those strikes that have open interest or volume. */
export const activeStrikes = memoize((scope: Scope): readonly StrikeRow[] =>
  byStrike(scope).filter((row) => totalOi(row) > 0 || row.callVolume + row.putVolume > 0)
)

export const netGex = (row: StrikeRow) => row.callGex + row.putGex
export const netDex = (row: StrikeRow) => row.callDex + row.putDex
export const netVex = (row: StrikeRow) => row.callVex + row.putVex
export const netChex = (row: StrikeRow) => row.callChex + row.putChex
export const totalOi = (row: StrikeRow) => row.callOi + row.putOi
export const totalVolume = (row: StrikeRow) => row.callVolume + row.putVolume

export function sumOf<Row>(rows: readonly Row[], figure: (row: Row) => number): number {
  let sum = 0
  for (const row of rows) sum += figure(row)
  return sum
}

/** `strikes` are the distinct strikes of a chain, ascending. `of` holds, for each slot, the index of its strike. */
export const strikesOf = memoize((chain: PricedChain): { readonly strikes: Float64Array; readonly of: Uint32Array } => {
  const strikes = Float64Array.from(new Set(chain.strike)).sort()
  const of = new Uint32Array(chain.size)
  for (const { start, end } of chain.expirations) {
    // Strikes also ascend within an expiration, so one walk along the list finds every index.
    for (let i = start, k = 0; i < end; i++) {
      while (strikes[k] < chain.strike[i]) k++
      of[i] = k
    }
  }
  return { strikes, of }
})

/**
 * Net figures of all unexpired contracts of a chain by strike. Each figure is an array; the units are those of
 * `StrikeRow`.
 */
export function strikeSums(chain: PricedChain): StrikeSums {
  const rows = byStrike(liveScope(chain))
  const column = (figure: (row: StrikeRow) => number) => Float64Array.from(rows, figure)
  return {
    asOf: chain.asOf,
    strikes: column(({ strike }) => strike),
    gex: column(netGex),
    dex: column(netDex),
    vex: column(netVex),
    chex: column(netChex),
    oi: column(totalOi)
  }
}

// Position of each figure within the sums of a strike's calls or puts.
const GEX = 0
const DEX = 1
const VEX = 2
const CHEX = 3
const DAG = 4
const OI = 5
const VOLUME = 6
const LISTED = 7
const FIGURES = 8
/** Number of array entries per strike: the sums of its calls, followed by the sums of its puts. */
const STRIKE = 2 * FIGURES

/**
 * A row that reads its figures from a shared array of sums. Object fields would take three times the memory, because V8
 * boxes each number. The rows live as long as their chain and are most of the memory that responses leave behind.
 */
class SummedStrike implements StrikeRow {
  readonly strike: number
  readonly #sums: Float64Array
  readonly #calls: number
  readonly #puts: number

  constructor(strike: number, sums: Float64Array, at: number) {
    this.strike = strike
    this.#sums = sums
    this.#calls = at
    this.#puts = at + FIGURES
  }

  get callGex(): number {
    return this.#sums[this.#calls + GEX]
  }

  get putGex(): number {
    return this.#sums[this.#puts + GEX]
  }

  get callDex(): number {
    return this.#sums[this.#calls + DEX]
  }

  get putDex(): number {
    return this.#sums[this.#puts + DEX]
  }

  get callVex(): number {
    return this.#sums[this.#calls + VEX]
  }

  get putVex(): number {
    return this.#sums[this.#puts + VEX]
  }

  get callChex(): number {
    return this.#sums[this.#calls + CHEX]
  }

  get putChex(): number {
    return this.#sums[this.#puts + CHEX]
  }

  get dag(): number {
    return this.#sums[this.#calls + DAG] + this.#sums[this.#puts + DAG]
  }

  get callOi(): number {
    return this.#sums[this.#calls + OI]
  }

  get putOi(): number {
    return this.#sums[this.#puts + OI]
  }

  get callVolume(): number {
    return this.#sums[this.#calls + VOLUME]
  }

  get putVolume(): number {
    return this.#sums[this.#puts + VOLUME]
  }
}
