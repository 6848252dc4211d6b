import { type MaybePromise, orUndefined } from '../../api/maybe-promise.ts'
import { type After, endsWithin } from '../../facts/bounded-wait.ts'
import { PRIOR_CLOSE_WAIT } from '../../facts/freshness.ts'
import { previousTradingDay } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { ChainAssessment } from '../../quality/chain-assessment.ts'
import type { Engine } from '../../workers/engine.ts'

interface Options {
  readonly engine: Pick<Engine, 'run'>
  /** Shortest time between two chains from the source, milliseconds. */
  readonly pace: number
  /** Score below which nothing is concluded from a chain. */
  readonly floor: number
  readonly held: (symbol: Ticker) => PricedChain | undefined
  readonly closing: (symbol: Ticker, session: IsoDate) => MaybePromise<PricedChain | undefined>
  readonly after: After
}

/** The quality assessment of a chain, and the close it was compared with. */
interface Assessed {
  readonly prior: PricedChain | undefined
  readonly found: MaybePromise<ChainAssessment | undefined>
}

/** Quality of the loaded chains. Each chain is assessed once, when a response computed from it is first sent. */
export class Assessments {
  readonly #options: Options
  readonly #assessed = new WeakMap<PricedChain, Assessed>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Quality of a symbol's loaded chain; undefined if no chain is loaded or it is empty. */
  of(symbol: Ticker): MaybePromise<ChainAssessment | undefined> {
    const chain = this.#options.held(symbol)
    if (chain === undefined || chain.size === 0) return undefined
    const known = this.#assessed.get(chain)
    if (known?.prior !== undefined) return known.found
    const prior = orUndefined(() => this.#options.closing(symbol, previousTradingDay(easternDate(chain.asOf))))
    if (!(prior instanceof Promise)) return this.#assess(chain, prior)
    if (known !== undefined) return known.found
    return this.#whenThere(chain, prior)
  }

  async #whenThere(chain: PricedChain, prior: Promise<PricedChain | undefined>) {
    const isThere = await endsWithin(prior, PRIOR_CLOSE_WAIT, this.#options.after)
    const before = isThere ? await prior : undefined
    return this.#assess(chain, before)
  }

  #assess(chain: PricedChain, prior: PricedChain | undefined): MaybePromise<ChainAssessment | undefined> {
    const known = this.#assessed.get(chain)
    if (known !== undefined && known.prior === prior) return known.found
    const found = this.#options.engine.run('assessChain', { chain, prior }).then(
      (deductions): ChainAssessment => {
        const { symbol, asOf, delay } = chain
        const { pace, floor } = this.#options
        const assessment = { symbol, asOf, delay, pace, floor, ...deductions }
        this.#assessed.set(chain, { prior, found: assessment })
        return assessment
      },
      () => {
        this.#assessed.delete(chain)
        return undefined // a response without its score is better than none
      }
    )
    this.#assessed.set(chain, { prior, found })
    return found
  }
}
