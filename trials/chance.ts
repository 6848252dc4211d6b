/** Chance that can be repeated: the same seed gives the same numbers in the same order. */
export class Chance {
  #state: number

  /**
   * `part` separates the random streams of one seed, so that request 40 of a run can be repeated without the 39 before
   * it.
   */
  constructor(seed: number, part = 0) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(part + 1, 0x85ebca6b)) >>> 0
    this.next()
  }

  /** At least 0 and below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 on, below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  happens(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]
  }
}
