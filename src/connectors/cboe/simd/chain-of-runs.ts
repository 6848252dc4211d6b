import {
  type Chain,
  type ChainHeader,
  type ContractColumns,
  chainOf,
  contractColumns,
  type Expiration
} from '../../../market/chain.ts'
import { parseOcc } from '../../../market/occ.ts'
import type { LeftOut, Listing } from '../listing.ts'
import type { Run, ScannedRows } from './scan-rows.ts'

/** A run that is an expiration of the chain. */
interface KeptRun extends Run, Pick<Expiration, 'date' | 'root' | 'settlement'> {}

/** The runs of a payload that are in its chain, in the order of one, and the rows that are not. */
export interface ListedRuns {
  readonly kept: readonly KeptRun[]
  readonly leftOut: LeftOut
}

/** Decides by one symbol of each run what its contracts are. Undefined where two runs are of one root and expiration. */
export function listRuns(runs: readonly Run[], listing: Listing): ListedRuns | undefined {
  const leftOut = { adjusted: 0, expired: 0, unreadable: 0 }
  const kept: KeptRun[] = []
  for (const run of runs) {
    const occ = run.symbol === undefined ? undefined : parseOcc(run.symbol)
    const settlement = occ === undefined ? 'unreadable' : listing(occ)
    if (occ !== undefined && (settlement === 'am' || settlement === 'pm')) {
      kept.push({ ...run, date: occ.expiration, root: occ.root, settlement })
    } else leftOut[settlement as keyof LeftOut] += run.end - run.start
  }
  kept.sort(compareRuns)
  const areDistinct = kept.every((run, at) => at === 0 || compareRuns(kept[at - 1], run) < 0)
  return areDistinct ? { kept, leftOut } : undefined
}

function compareRuns(a: KeptRun, b: KeptRun): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  return a.root < b.root ? -1 : a.root > b.root ? 1 : 0
}

/** The chain of the kept runs: their rows are copied run by run. */
export function chainOfRuns(header: ChainHeader, rows: ScannedRows, kept: readonly KeptRun[]): Chain {
  const size = kept.reduce((sum, { start, end }) => sum + end - start, 0)
  const columns = contractColumns(size)
  const expirations: Expiration[] = []
  let slot = 0
  for (const { date, root, settlement, start, end } of kept) {
    for (const name of Object.keys(columns) as (keyof ContractColumns)[]) {
      columns[name].set(rows[name].subarray(start, end), slot)
    }
    expirations.push({ date, root, settlement, start: slot, end: (slot += end - start) })
  }
  return chainOf(header, columns, expirations)
}
