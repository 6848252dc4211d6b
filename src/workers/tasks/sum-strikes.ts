import type { StoredSnapshot } from '../../archive/store.ts'
import { strikeSums } from '../../exposure/by-strike.ts'
import { chainOfRoot } from '../../market/chain.ts'
import type { StrikeSums } from '../../market/strike-sums.ts'
import type { Ticker } from '../../market/units.ts'
import { type KnownBeside, madeOf, type Task } from './task.ts'

interface Summed extends KnownBeside {
  readonly snapshot: StoredSnapshot
  /** That of the snapshot, or a root under which it lists contracts. */
  readonly symbol: Ticker
}

/** The net figures by strike of a snapshot of the archive, whose chain nobody else needs. Undefined: it lists nothing. */
export const sumStrikes: Task<Summed, StrikeSums | undefined> = {
  // Any worker: the one of the symbol has its present chain to answer from.
  symbol: () => undefined,
  run: ({ snapshot, symbol, ...known }, context) =>
    madeOf(snapshot, context, known, (chain) => {
      const part = symbol === snapshot.symbol ? chain : chainOfRoot(chain, symbol)
      return part && strikeSums(part)
    })
}
