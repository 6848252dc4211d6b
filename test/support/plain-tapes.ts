import type { Groups, PrintWindow, Views } from '../../src/flow/tape-views.ts'
import { CALL, PUT } from '../../src/market/chain.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { sideOf, type TapeKind } from '../../src/market/print.ts'
import type { ListedSeries } from '../../src/market/series.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import type { Tapes } from '../../src/tape/tape-port.ts'
import { groupsOf } from './made-up-flow.ts'
import { type PlainPrint, type PlainTape, plainViews, plainWindow } from './plain-tape.ts'

/**
 * Tapes that do not change: the same few prints of every symbol in the minutes before a moment, some of each size and
 * side.
 */
export function tapesAt(moment: Instant): Tapes {
  const windows = ['AAPL', 'KO'] as Ticker[]
  return {
    keep: () => {},
    view: async ({ symbol, kind, view }) => {
      const views = plainViews(tapeAt(moment, symbol, kind))
      const shown: Partial<Views> = { ...views, groups: largeGroups(views.blocks) }
      return shown[view] as Views[typeof view]
    },
    windowTotals: async (kind, from) => {
      const totals = windows.flatMap((symbol) => plainWindow([tapeAt(moment, symbol, kind)], from) ?? [])
      return { at: moment, source: 'recorded', silent: false, totals }
    },
    progress: async () => undefined,
    symbols: async () => [],
    note: async () => {},
    close: async () => {}
  }
}

/** Every large print alone as a group. */
function largeGroups({ prints, series, ...header }: PrintWindow): Groups {
  const grouped = Array.from(prints.ts, (first, row) => ({
    ...{ instrument: prints.instrument[row], first, sequence: row, side: sideOf(prints.judged[row]), prints: 1 },
    money: prints.price[row] * prints.size[row],
    sizes: [prints.size[row], 0, 0, 0, 0]
  }))
  return groupsOf(header, series, grouped)
}

function tapeAt(moment: Instant, symbol: Ticker, kind: TapeKind): PlainTape {
  const dates = ['2026-08-21', '2026-09-18'] as IsoDate[]
  const series = dates.flatMap((date) =>
    [CALL, PUT].map(
      (right): ListedSeries => ({ date, root: symbol, settlement: 'pm', strike: 100, right, adjusted: false })
    )
  )
  const prints = Array.from(
    { length: 40 },
    (_, k): PlainPrint => ({
      ts: 1000 * (moment - 20_000 * (40 - k)),
      price: 20_000 + 100 * k,
      size: (k % 4 === 0 ? 20_000 : 1) + k,
      side: (['buy', 'sell', 'mid'] as const)[k % 3],
      instrument: k % 4,
      bid: 19_900 + 100 * k,
      ask: 20_100 + 100 * k
    })
  )
  return { symbol, kind, session: easternDate(moment), series, prints }
}
