import { DAYS_OF_BARS } from '../../../market/bar.ts'
import { addDays, completedSession, latestSession } from '../../../market/calendar.ts'
import { easternDate } from '../../../market/eastern.ts'
import type { IsoDate, Ticker } from '../../../market/units.ts'
import type { Connector } from '../../port/connector.ts'
import { allOrAbort } from '../../port/http/all-or-abort.ts'
import { SourceError } from '../../port/source-error.ts'
import type { MassiveRest } from '../massive-rest.ts'
import { massiveName } from '../massive-symbols.ts'
import { fetchMassiveBars } from './massive-bars.ts'
import { mapMassiveSnapshot, momentOfMassiveSnapshot } from './massive-chain.ts'
import { type MassiveSnapshotRow, readMassiveSnapshotRow } from './massive-snapshot.ts'

/**
 * Ends of the expiration ranges in which a chain is requested, in days from the session. The pages of a range can only
 * be read one after another. Several ranges with about equally many contracts are therefore read in parallel.
 */
const RANGES = [2, 6, 13, 27, 48, 90, 210]

export function massiveChains(rest: MassiveRest): Pick<Connector, 'chain' | 'dailyBars'> {
  return {
    async chain(symbol, now, signal, check) {
      const rows = await fetchRows(rest, symbol, latestSession(now).date, signal)
      if (rows.length === 0) return undefined
      const fetched = { symbol, rows, fetched: now }
      const moment = momentOfMassiveSnapshot(fetched)
      const close = moment.completed && (await closeOf(rest, symbol, moment.completed.date, signal))
      const { chain, reading } = mapMassiveSnapshot(fetched, moment, close)
      check?.(chain, { payload: Buffer.from(JSON.stringify(rows)), reading })
      return chain
    },
    async dailyBars(symbol, now, signal) {
      const today = easternDate(now)
      const bars = await fetchMassiveBars(rest, symbol, addDays(today, -DAYS_OF_BARS), today, signal)
      const last = completedSession(now).date
      return bars.filter(({ date }) => date <= last)
    }
  }
}

async function fetchRows(
  rest: MassiveRest,
  symbol: Ticker,
  session: IsoDate,
  signal: AbortSignal
): Promise<readonly MassiveSnapshotRow[]> {
  const path = `/v3/snapshot/options/${encodeURIComponent(massiveName(symbol))}?limit=250&order=asc&sort=ticker`
  const begins = [session, ...RANGES.map((days) => addDays(session, days))]
  const readRange = async (begin: IsoDate, k: number, either: AbortSignal) => {
    const end = begins[k + 1]
    const until = end === undefined ? '' : `&expiration_date.lt=${end}`
    const rows: MassiveSnapshotRow[] = []
    let isThere = false
    for await (const page of rest.pages(`${path}&expiration_date.gte=${begin}${until}`, either)) {
      isThere = true
      for (const row of page) {
        const read = readMassiveSnapshotRow(row)
        if (read !== undefined) rows.push(read)
      }
    }
    return { rows, isThere }
  }
  const ranges = await allOrAbort(signal, (either) => begins.map((begin, k) => readRange(begin, k, either)))
  const rows = ranges.flatMap((range) => range.rows)
  // A chain that lacks the expirations of a whole range is rejected as incomplete.
  if (rows.length > 0 && ranges.some((range) => !range.isThere)) {
    throw new SourceError('unavailable', `Massive has only some of the options of ${symbol}`)
  }
  return rows
}

/** Closing price of the underlying in a session; undefined if the plan has no bars of the underlying. */
async function closeOf(
  rest: MassiveRest,
  symbol: Ticker,
  date: IsoDate,
  signal: AbortSignal
): Promise<number | undefined> {
  try {
    return (await fetchMassiveBars(rest, symbol, date, date, signal)).at(-1)?.close
  } catch (error) {
    if (error instanceof SourceError && error.fault === 'refused') return undefined
    throw error
  }
}
