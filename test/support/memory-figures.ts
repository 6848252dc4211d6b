import type { ChainSnapshot } from '../../src/archive/store.ts'
import { session, tradingDays } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { FigureColumns, FigureRequest, FigureRow, WaitingDay } from '../../src/market/figure-row.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import type { MemoryTapes } from './memory-tapes.ts'

/** Figures in memory, for tests: every rule of the archive's read off slowly, a session at a time. */
export function memoryFigures(
  given: readonly FigureRow[] = [],
  tapes: Pick<MemoryTapes, 'symbols'>,
  snapshots: () => readonly ChainSnapshot[]
) {
  const held = new Map(given.map((row) => [nameOf(row.symbol, row.asOf), row]))
  const momentsOf = (symbol: Ticker) =>
    snapshots().flatMap(({ chain }) => (chain.symbol === symbol ? [chain.asOf] : []))
  const rowAt = (symbol: Ticker, at: Instant) => held.get(nameOf(symbol, at))
  const waits = (symbol: Ticker, at: Instant, readsTape: boolean) => {
    const row = rowAt(symbol, at)
    if (row === undefined) return true
    const taped = readsTape && tapes.symbols('option', easternDate(at)).includes(symbol)
    return taped && isInSession(at) && !('flow.net_premium' in row.figures)
  }

  return {
    rows: () => [...held.values()],
    write(added: readonly FigureRow[]) {
      for (const row of added) held.set(nameOf(row.symbol, row.asOf), row)
    },
    columns({ symbol, fields, from, to, until, closed, every }: FigureRequest): FigureColumns {
      const moments = momentsOf(symbol)
      const rows: FigureRow[] = []
      for (const date of tradingDays(easternDate(from), easternDate(to))) {
        const { open, close } = session(date)!
        const ofDay = moments
          .filter((at) => easternDate(at) === date && at >= open && at <= until)
          .flatMap((at) => rowAt(symbol, at) ?? [])
        if (every === 'session') {
          const last = ofDay.at(-1)
          if (date <= closed && last !== undefined && last.asOf >= close - 300_000) rows.push(last)
          continue
        }
        const asked = ofDay.filter(({ asOf }) => asOf >= from && asOf <= to)
        const bucket = ({ asOf }: FigureRow) => Math.floor((Math.min(asOf, close) - open) / every)
        rows.push(...asked.filter((row, k) => k === asked.length - 1 || bucket(asked[k + 1]) !== bucket(row)))
      }
      const shown = rows.filter(({ asOf }) => asOf >= from && asOf <= to)
      const readsTape = fields.some((name) => name.startsWith('flow.'))
      const waiting = moments.filter((at) => at >= from && at <= to && waits(symbol, at, readsTape))
      const days = [...new Set(waiting.map(easternDate))]
      return {
        t: Float64Array.from(shown, ({ asOf }) => asOf),
        columns: fields.map((name) => Float64Array.from(shown, ({ figures }) => figures[name] ?? Number.NaN)),
        waiting: days.map((day) => {
          const ofDay = waiting.filter((at) => easternDate(at) === day)
          return { from: ofDay[0], to: ofDay.at(-1)! }
        })
      }
    },
    waiting(before: Instant, symbol: Ticker | undefined): readonly WaitingDay[] {
      const days = new Map<string, { symbol: Ticker; date: IsoDate; moments: Instant[] }>()
      for (const { chain } of snapshots()) {
        const { symbol: of, asOf } = chain
        if (asOf >= before || (symbol !== undefined && of !== symbol) || !waits(of, asOf, true)) continue
        const date = easternDate(asOf)
        const day = days.get(`${date} ${of}`) ?? { symbol: of, date, moments: [] }
        day.moments.push(asOf)
        days.set(`${date} ${of}`, day)
      }
      return [...days.values()].sort((a, b) =>
        a.date === b.date ? (a.symbol < b.symbol ? -1 : 1) : a.date < b.date ? 1 : -1
      )
    }
  }
}

const nameOf = (symbol: Ticker, at: Instant) => `${symbol} ${at}`

function isInSession(at: Instant): boolean {
  const hours = session(easternDate(at))
  return hours !== undefined && at >= hours.open
}
