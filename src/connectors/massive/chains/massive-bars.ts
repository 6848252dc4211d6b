import type { DailyBar } from '../../../market/bar.ts'
import { easternDate } from '../../../market/eastern.ts'
import { type SecurityKind, securityKind } from '../../../market/security.ts'
import type { IsoDate, Ticker } from '../../../market/units.ts'
import type { MassiveRest } from '../massive-rest.ts'
import { massiveName } from '../massive-symbols.ts'
import { massiveReader } from './massive-snapshot.ts'

/**
 * Requests a symbol's daily bars in [from, to], adjusted for splits, ascending by day; empty if the plan or the vendor
 * has none.
 */
export async function fetchMassiveBars(
  rest: MassiveRest,
  symbol: Ticker,
  from: IsoDate,
  to: IsoDate,
  signal: AbortSignal
): Promise<readonly DailyBar[]> {
  const name = encodeURIComponent(massiveName(symbol))
  const path = `/v2/aggs/ticker/${name}/range/1/day/${from}/${to}?adjusted=true&sort=asc&limit=50000`
  const bars: DailyBar[] = []
  for await (const rows of rest.pages(path, signal))
    bars.push(...rows.map((row) => readMassiveBar(row, securityKind(symbol))))
  return bars.filter(({ close }) => close > 0)
}

/** Reads a bar, which begins at midnight in New York. An index has volume 0; absent prices are NaN. */
export function readMassiveBar(row: unknown, kind: SecurityKind): DailyBar {
  const fields = massiveReader.element(row, 'results')
  const begin = massiveReader.timeOrNever(fields, 't')
  if (begin === undefined) throw massiveReader.malformed('the field t is no time')
  const [open, high, low, close] = ['o', 'h', 'l', 'c'].map((name) => massiveReader.priceOrNone(fields, name))
  const volume = kind === 'index' ? 0 : massiveReader.volume(fields, 'v')
  return { date: easternDate(begin), open, high, low, close, volume }
}
