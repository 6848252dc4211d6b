import { quoteBytes } from '../../api/rows/quote-table.ts'
import type { TablePart } from '../../api/rows/table-part.ts'
import { decodeSnapshot } from '../../archive/codec/decode-snapshot.ts'
import type { StoredSnapshot } from '../../archive/history-store.ts'
import { giveBackColumns } from '../../market/chain.ts'
import type { Task } from './task.ts'

/** Writes the quotes of an archived snapshot as rows of a bulk answer. */
export const writeQuotes: Task<
  Omit<TablePart, 'rows' | 'parents'> & { readonly snapshot: StoredSnapshot },
  Uint8Array
> = {
  // Any worker will do: the symbol's own is busy with requests about its current chain.
  symbol: () => undefined,
  run({ snapshot, ...part }) {
    const chain = decodeSnapshot(snapshot)
    try {
      return quoteBytes({ chain, fidelity: snapshot.fidelity }, part)
    } finally {
      giveBackColumns(chain)
    }
  }
}
