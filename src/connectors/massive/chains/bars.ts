import type { DailyBar } from '../../../market/bar.ts'
import { easternDate } from '../../../market/eastern.ts'
import { type SecurityKind, securityKind } from '../../../market/security.ts'
import type { IsoDate, Ticker } from '../../../market/units.ts'
import type { Rest } from '../rest.ts'
import { underlyingName } from '../symbols.ts'
import { reader } from './contract.ts'

/** The daily bars of a symbol in [from, to], adjusted for splits, ascending; none where the plan or the vendor has none. */
export async function fetchBars(
  rest: Rest,
  symbol: Ticker,
  from: IsoDate,
  to: IsoDate,
  signal: AbortSignal
): Promise<readonly DailyBar[]> {
  const name = encodeURIComponent(underlyingName(symbol))
  const path = `/v2/aggs/ticker/${name}/range/1/day/${from}/${to}?adjusted=true&sort=asc&limit=50000`
  const bars: DailyBar[] = []
  for await (const rows of rest.pages(path, signal)) bars.push(...rows.map((row) => readBar(row, securityKind(symbol))))
  return bars.filter(({ close }) => close > 0)
}

/** A bar begins at midnight of New York. An index has no volume: 0. A price that is none is NaN. */
export function readBar(row: unknown, kind: SecurityKind): DailyBar {
  const fields = reader.element(row, 'results')
  const begin = reader.timeOrNever(fields, 't')
  if (begin === undefined) throw reader.malformed('the field t is no time')
  const [open, high, low, close] = ['o', 'h', 'l', 'c'].map((name) => reader.priceOrNone(fields, name))
  const volume = kind === 'index' ? 0 : reader.volume(fields, 'v')
  return { date: easternDate(begin), open, high, low, close, volume }
}
