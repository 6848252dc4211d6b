import { type EarningsEvent, sessionsAround } from '../../market/earnings.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Engine } from '../../workers/engine.ts'

/** An implied move that was taken of a chain, percent, when and for which report. */
interface StoredMove {
  readonly before: IsoDate
  readonly at: Instant
  readonly move: number | undefined
}

interface Options {
  readonly engine: Pick<Engine, 'run'>
  /** The newest move of a report is another one. */
  readonly onChange: () => void
}

/** How old an implied move may become while chains of the symbol come in, milliseconds of the market. */
const MOVE_EVERY = 15 * MILLISECONDS_PER_MINUTE

/** The newest implied move of the next report of each symbol. */
export class ImpliedMoves {
  readonly #options: Options
  readonly #moves = new Map<Ticker, StoredMove>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Takes the move of a report that a chain implies, where the last is too old. */
  take(chain: PricedChain, event: EarningsEvent): void {
    if (chain.size === 0) return
    const { engine, onChange } = this.#options
    const { before } = sessionsAround(event)
    const held = this.#moves.get(chain.symbol)
    if (held?.before === before && Math.abs(chain.asOf - held.at) < MOVE_EVERY) return
    const kept = held?.before === before ? held.move : undefined
    this.#moves.set(chain.symbol, { before, at: chain.asOf, move: kept })
    engine.run('readImpliedMove', { chain, before }).then(
      (move) => {
        if (move === undefined || move === kept) return
        this.#moves.set(chain.symbol, { before, at: chain.asOf, move })
        onChange()
      },
      () => {} // the next chain is asked again
    )
  }

  /** Percent; undefined: none is known of this report. */
  of(symbol: Ticker, event: EarningsEvent): number | undefined {
    const held = this.#moves.get(symbol)
    return held?.before === sessionsAround(event).before ? held.move : undefined
  }
}
