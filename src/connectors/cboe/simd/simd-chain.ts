import {
  type Chain,
  type ChainHeader,
  type ContractColumns,
  chainOf,
  contractColumns,
  type Expiration
} from '../../../market/chain.ts'
import { parseOcc } from '../../../market/occ.ts'
import { momentOf } from '../../../market/payload-moment.ts'
import { type CboeLeftOut, type CboeListing, cboeListing } from '../cboe-listing.ts'
import { openPayload } from '../cboe-payload.ts'
import { chainHeader } from '../cboe-underlying.ts'
import type { CboeChain } from '../json-chain.ts'
import { type RowRun, type ScannedRows, scanRows } from './scan-rows.ts'

// Why this folder: one pass in WebAssembly SIMD reads all contracts of a payload without creating a string or an object
// for each. SPX (29,082 contracts, 11.5 MB) and SPY (14,024, 5.6 MB) take less than a fifth of the time of `readByJson`
// (`npm run bench -- chain-bytes`). Both readers must agree to the last bit:
// test/connectors/cboe/simd/agreement.test.ts compares them.

/**
 * Reads the chain of a payload in WebAssembly. Undefined if the layout is unusual or something is wrong with a
 * contract: `readByJson` then reads the payload, or states what is wrong.
 */
export function readBySimd(bytes: Buffer): CboeChain | undefined {
  const opened = openPayload(bytes)
  if (opened === undefined) return undefined
  const { trades, list } = opened
  const rows = scanRows(bytes, list, trades)
  if (rows === undefined || trades.time === undefined) return undefined
  const head = { ...opened.head, newestTrade: trades.time }
  const moment = momentOf(head)
  const listed = listRuns(rows.runs, cboeListing(head.symbol, moment.session.date))
  if (listed === undefined || listed.leftOut.unreadable * 2 > rows.size) return undefined
  const { kept, leftOut } = listed
  const chain = chainOfRuns(chainHeader(head, moment), rows, kept)
  if (moment.preOpen) clearVolume(chain)
  const reading = { rows: rows.size, unreadable: leftOut.unreadable, unusable: 0, unusableLiquid: 0, ...noneFaulty }
  return { head, chain, session: moment.session.date, closed: moment.closed, leftOut, reading }
}

/** Payloads with a repeated contract or an impossible open interest are left to `readByJson`. */
const noneFaulty = { repeated: 0, impossibleInterest: 0 }

interface KeptRun extends RowRun, Pick<Expiration, 'date' | 'root' | 'settlement'> {}

interface ListedRuns {
  /** Runs of rows that belong in the chain, ascending by date, then by root. */
  readonly kept: readonly KeptRun[]
  readonly leftOut: CboeLeftOut
}

/**
 * Decides for each run of rows, by its first symbol, whether it belongs in the chain. Undefined if two runs have the
 * same root and expiration.
 */
function listRuns(runs: readonly RowRun[], listing: CboeListing): ListedRuns | undefined {
  const leftOut = { adjusted: 0, expired: 0, unreadable: 0 }
  const kept: KeptRun[] = []
  for (const run of runs) {
    const occ = run.symbol === undefined ? undefined : parseOcc(run.symbol)
    const settlement = occ === undefined ? 'unreadable' : listing(occ)
    if (occ !== undefined && (settlement === 'am' || settlement === 'pm')) {
      kept.push({ ...run, date: occ.expiration, root: occ.root, settlement })
    } else leftOut[settlement as keyof CboeLeftOut] += run.end - run.start
  }
  kept.sort(compareRuns)
  const areDistinct = kept.every((run, at) => at === 0 || compareRuns(kept[at - 1], run) < 0)
  return areDistinct ? { kept, leftOut } : undefined
}

function compareRuns(a: KeptRun, b: KeptRun): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  return a.root < b.root ? -1 : a.root > b.root ? 1 : 0
}

function chainOfRuns(header: ChainHeader, rows: ScannedRows, kept: readonly KeptRun[]): Chain {
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

/** Sets all known volumes to 0. Before the opening the feed still states the previous session's volumes. */
function clearVolume({ volume }: ContractColumns): void {
  for (let i = 0; i < volume.length; i++) volume[i] = Math.min(volume[i], 0)
}
