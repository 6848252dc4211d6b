import { IMPLIED_MOVE_SERVES } from '../../facts/freshness.ts'
import { type EarningsEvent, sessionsAround } from '../../market/earnings.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { Engine } from '../../workers/engine.ts'

/** The move that a chain implies for an earnings report, percent of spot, and the time of the chain. */
interface StoredMove {
  readonly before: IsoDate
  readonly at: Instant
  readonly move: number | undefined
}

interface Options {
  readonly engine: Pick<Engine, 'run'>
  readonly onChange: () => void
}

/** For each symbol, the newest move that options imply for its next earnings report. */
export class ImpliedMoves {
  readonly #options: Options
  readonly #moves = new Map<Ticker, StoredMove>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Computes the move of a chain, unless that of one shortly before was asked for. Resolves once it is stored. */
  async take(chain: PricedChain, event: EarningsEvent): Promise<void> {
    if (chain.size === 0) return
    const { engine, onChange } = this.#options
    const { before } = sessionsAround(event)
    const held = this.#moves.get(chain.symbol)
    if (held?.before === before && Math.abs(chain.asOf - held.at) < IMPLIED_MOVE_SERVES) return
    const kept = held?.before === before ? held.move : undefined
    this.#moves.set(chain.symbol, { before, at: chain.asOf, move: kept })
    // A failure is ignored: the next chain is tried again.
    const move = await engine.run('readImpliedMove', { chain, before }).catch(() => undefined)
    if (move === undefined || move === kept) return
    this.#moves.set(chain.symbol, { before, at: chain.asOf, move })
    onChange()
  }

  /** Implied move for an earnings report, percent of spot; undefined if none is known. */
  of(symbol: Ticker, event: EarningsEvent): number | undefined {
    const held = this.#moves.get(symbol)
    return held?.before === sessionsAround(event).before ? held.move : undefined
  }
}
