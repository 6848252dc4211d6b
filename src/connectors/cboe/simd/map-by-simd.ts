import type { ContractColumns } from '../../../market/chain.ts'
import { momentOf } from '../../../market/payload-moment.ts'
import { listingOf } from '../listing.ts'
import { chainHeader, type MappedBytes } from '../map.ts'
import { openPayload } from '../payload.ts'
import { chainOfRuns, listRuns } from './chain-of-runs.ts'
import { scanRows } from './scan-rows.ts'

// Why this folder: one pass in WebAssembly SIMD takes a payload to a chain without a text or an object for each contract.
// Parsed and mapped, SPX (29,082 contracts, 11.5 MB) and SPY (14,024, 5.6 MB) took 0.19 and 0.18 of the time of the plain
// reader (`npm run bench -- chain-bytes`, medians of five processes). `--plain` switches it off. What it has to agree with
// is `mapPayload(parsePayload(bytes))`: test/connectors/cboe/simd/agreement.test.ts compares the two.

/**
 * Turns the bytes of a payload into the chain of the moment it shows, equal to what `mapPayload` makes of them. Undefined
 * where they are not as the exchange writes them: they are then to be read the plain way, which says what is wrong.
 */
export function mapBySimd(bytes: Buffer): MappedBytes | undefined {
  const opened = openPayload(bytes)
  if (opened === undefined) return undefined
  const { trades, list } = opened
  const rows = scanRows(bytes, list, trades)
  if (rows === undefined || trades.time === undefined) return undefined
  const head = { ...opened.head, newestTrade: trades.time }
  const moment = momentOf(head)
  const listed = listRuns(rows.runs, listingOf(head.symbol, moment.session.date))
  if (listed === undefined || listed.leftOut.unreadable * 2 > rows.size) return undefined
  const { kept, leftOut } = listed
  const chain = chainOfRuns(chainHeader(head, moment), rows, kept)
  if (moment.preOpen) clearVolume(chain)
  const reading = { rows: rows.size, unreadable: leftOut.unreadable, unusable: 0, unusableLiquid: 0 }
  return { head, chain, session: moment.session.date, closed: moment.closed, leftOut, reading }
}

/** Before the opening the volume that is stated is that of the session before. */
function clearVolume({ volume }: ContractColumns): void {
  for (let i = 0; i < volume.length; i++) volume[i] = Math.min(volume[i], 0)
}
