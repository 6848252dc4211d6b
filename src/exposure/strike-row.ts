/** Sums over the contracts of one strike. Exposures in USD as in `contract.ts`, counts in contracts. */
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
  /** Delta-adjusted gamma of both sides. */
  readonly dag: number
  readonly callOi: number
  readonly putOi: number
  readonly callVolume: number
  readonly putVolume: number
}

// Places in the sums of a strike's calls or puts.
export const GEX = 0
export const DEX = 1
export const VEX = 2
export const CHEX = 3
export const DAG = 4
export const OI = 5
export const VOLUME = 6
export const LISTED = 7
export const FIGURES = 8
/** The calls of a strike come first. */
export const STRIKE = 2 * FIGURES

/**
 * A row whose figures stay where they were summed up. As fields of an object V8 would keep each number in a place of its
 * own: three times the memory, which lives as long as its chain and is the most that answers leave behind.
 */
export class SummedStrike implements StrikeRow {
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
