import type { Moment } from './moment-rows.ts'

type Place = Pick<Moment, 'symbol' | 'asOf'>

/** Moments that were written before everything was read, because there were too many to keep. */
export class WrittenMoments {
  readonly #moments = new Set<string>()

  add({ symbol, asOf }: Place): void {
    this.#moments.add(`${symbol} ${asOf}`)
  }

  has({ symbol, asOf }: Place): boolean {
    return this.#moments.size > 0 && this.#moments.has(`${symbol} ${asOf}`)
  }
}
