import type { Absence } from '../../archive/history-store.ts'
import { type ContractRow, UNKNOWN } from '../../market/chain.ts'
import type { ImportWriter } from '../import-writer.ts'
import { chainOverview, ShownChains } from './chain-overview.ts'
import { doubtedTable } from './doubted-table.ts'
import type { ChainTableOptions, ReadMoments } from './import-chains.ts'
import { chainOfMoment, type JudgedMoment, judgeMoments } from './judge-moments.ts'
import type { Moment } from './moment-rows.ts'
import { resolveMoment } from './resolve-moment.ts'
import { uncutRows } from './uncut-rows.ts'

/** Shares of judging and writing in the progress. */
const SHARE_OF_JUDGING = 0.2

/**
 * Judges moments, tells what was understood of them, and writes those that are not doubted. The others are set aside; with
 * `accept` all are written, and with `dryRun` none.
 */
export async function writeMoments(
  moments: readonly Moment[],
  read: ReadMoments,
  { archive, wallNow, accept = false, dryRun = false, writtenFirst }: ChainTableOptions,
  writer: ImportWriter,
  progress: (what: string, share: number) => Promise<void>
): Promise<void> {
  const { rows, tables, later } = read
  const fitting: Moment[] = []
  for (const moment of moments) {
    if (rows.isTooLarge(moment))
      writer.reject(...placeOf(moment), `${nameOf(moment)} has too many contracts: it has ${moment.rows}`)
    else if (moment.rows > 0) fitting.push(moment)
  }
  const shown = new ShownChains()
  const judged = await judgeMoments(fitting, read, { archive, wallNow }, async (one, chain, done) => {
    if (chain !== undefined) shown.add(chain)
    if (done % 100 === 0) await progress(nameOf(one.moment), (SHARE_OF_JUDGING * done) / fitting.length)
  })
  if (judged.length > 0) await writer.understood(chainOverview(tables, judged, shown, accept))
  let done = 0
  const isFirst = ({ moment }: JudgedMoment) => moment.symbol === writtenFirst
  for (const one of [...judged.filter(isFirst), ...judged.filter((other) => !isFirst(other))]) {
    if (writer.signal.aborted) return
    await write(one)
    const share = SHARE_OF_JUDGING + ((1 - SHARE_OF_JUDGING) * ++done) / judged.length
    if (done % 10 === 0) await progress(nameOf(one.moment), share)
  }

  async function write({ moment, spot, doubt, misfit }: JudgedMoment): Promise<void> {
    const resolved = resolveMoment(uncutRows(moment, read).rows)
    const { contracts } = resolved
    const missing = absencesOf(moment)
    const isAfter = moment.tables.some((at) => tables[at].isAfter)
    const isRefused = spot === undefined
    if (isRefused) return writer.reject(...placeOf(moment), noSpot(moment, contracts.length, resolved.isZero))
    if (doubt !== undefined && !accept) {
      const [file, line] = placeOf(moment)
      const { heading, lines } = doubtedTable(moment, rows.rowsOf(moment), { missing, isAfter })
      const reason = `${nameOf(moment)}: ${doubt.text}`
      return writer.setAside({ file, line, kind: doubt.kind, reason, heading, lines })
    }
    if (misfit !== undefined && !accept) {
      writer.mark(...placeOf(moment), `${nameOf(moment)}: ${misfit.text}`, misfit.kind)
    }
    writer.leaveOut(resolved.repeated)
    if (dryRun) return
    const snapshot = (rowsOfChain: readonly ContractRow[], more: readonly Absence[] = []) =>
      writer.snapshot({
        chain: chainOfMoment(moment, resolved, spot, rowsOfChain),
        fidelity: 'imported',
        missing: [...missing, ...more]
      })
    if (!isAfter) return snapshot(contracts)
    const known = later.known(moment.symbol, moment.date, contracts)
    if (known !== undefined) return snapshot(known)
    return snapshot(
      contracts.map((contract) => ({ ...contract, openInterest: UNKNOWN })),
      ['open_interest']
    )
  }

  function placeOf({ tables: [first], line }: Moment): readonly [file: string, line: number] {
    return [tables[first].path, line]
  }

  function absencesOf(moment: Moment): readonly Absence[] {
    return [...new Set(moment.tables.flatMap((at) => tables[at].missing))]
  }
}

function noSpot(moment: Moment, contracts: number, isZero: boolean): string {
  const remedy = isZero
    ? 'it is 0, as in files of indexes that hold none: import its daily bars and map no column to the underlying'
    : 'map a column to underlying_price, or import its daily bars first'
  return `no price of the underlying for the ${contracts} contracts of ${nameOf(moment)}: ${remedy}`
}

/** Name of a moment for sentences. */
function nameOf({ symbol, date }: Moment): string {
  return `${symbol} on ${date}`
}
