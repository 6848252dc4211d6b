import type { ChainSnapshot, WrittenAt } from '../../src/archive/history-store.ts'
import { previousTradingDay, session, tradingDays } from '../../src/market/calendar.ts'
import { easternDate } from '../../src/market/eastern.ts'
import {
  type FigureColumns,
  type FigureRequest,
  type FigureRow,
  sampleColumns,
  type WaitingDay
} from '../../src/market/figure-row.ts'
import { type HeldStrikes, lastOfBuckets, type StrikeRequest } from '../../src/market/strike-sums.ts'
import type { Instant, IsoDate, Ticker } from '../../src/market/units.ts'
import type { DividendRow } from './archive-rows.ts'
import { tick } from './memory-clock.ts'
import type { MemoryTapes } from './memory-tapes.ts'

/** Data from which rows of figures are computed, with the time at which each was written. */
export interface MemoryInputs {
  readonly tapes: Pick<MemoryTapes, 'symbols' | 'stored'>
  readonly snapshots: () => readonly ChainSnapshot[]
  readonly writtenAt: (snapshot: ChainSnapshot) => WrittenAt
  /** Every version of every dividend that was ever written. */
  readonly paid: () => readonly (DividendRow & { readonly written: WrittenAt; readonly since: Instant })[]
}

/** The index from which rates are read. */
const RATES_INDEX = 'SPX'

/** Figures in memory, for tests: every rule of the archive's read off slowly, a session at a time. */
export function memoryFigures(given: readonly FigureRow[] = [], { tapes, snapshots, writtenAt, paid }: MemoryInputs) {
  const held = new Map(given.map((row) => [nameOf(row.symbol, row.asOf), { row, knownAt: tick() }]))
  const ofSymbol = (symbol: Ticker) => snapshots().filter(({ chain }) => chain.symbol === symbol)

  function newestInput(snapshot: ChainSnapshot): number {
    const { symbol, asOf } = snapshot.chain
    const date = easternDate(asOf)
    const dividends = paid()
      .filter((row) => row.symbol === symbol && row.dividend.exDate > date && row.since <= asOf)
      .map(({ written }) => written)
    const before = previousTradingDay(date)
    const close = ofSymbol(RATES_INDEX as Ticker).findLast(({ chain }) => easternDate(chain.asOf) === before)
    return Math.max(writtenAt(snapshot), ...dividends, close === undefined ? 0 : writtenAt(close))
  }
  /** The row of a snapshot, where it rests on the newest of everything. */
  function rowOf(snapshot: ChainSnapshot): FigureRow | undefined {
    const { symbol, asOf } = snapshot.chain
    const found = held.get(nameOf(symbol, asOf))
    if (found === undefined || found.knownAt <= newestInput(snapshot)) return undefined
    const tape = tapes.stored({ symbol, kind: 'option', session: easternDate(asOf) })
    const isOutdated = hasTape(found.row) && tape !== undefined && found.knownAt <= tape.written
    return isOutdated ? undefined : found.row
  }
  const waits = (snapshot: ChainSnapshot, readsTape: boolean) => {
    const row = rowOf(snapshot)
    if (row === undefined) return true
    const { symbol, asOf } = row
    const taped = readsTape && tapes.symbols('option', easternDate(asOf)).includes(symbol)
    return taped && isInSession(asOf) && !hasTape(row)
  }

  return {
    rows: () => [...held.values()].map(({ row }) => row),
    write(added: readonly FigureRow[], knownAt: WrittenAt) {
      for (const row of added) {
        const name = nameOf(row.symbol, row.asOf)
        if (knownAt >= (held.get(name)?.knownAt ?? 0)) held.set(name, { row, knownAt })
      }
    },
    columns({ symbol, fields, from, to, until, closed, every, sampled }: FigureRequest): FigureColumns {
      const mine = ofSymbol(symbol)
      const rows: FigureRow[] = []
      const samples = new Map<FigureRow, readonly number[]>()
      for (const date of tradingDays(easternDate(from), easternDate(to))) {
        const { open, close } = session(date)!
        const ofDay = mine
          .filter(({ chain: { asOf } }) => easternDate(asOf) === date && asOf >= open && asOf <= until)
          .flatMap((snapshot) => rowOf(snapshot) ?? [])
        if (sampled) {
          const parts = new Map<number, FigureRow[]>()
          for (const row of ofDay) {
            if (row.asOf < from || (every !== 'session' && row.asOf > to)) continue
            const part = every === 'session' ? 0 : row.asOf >= close ? -1 : Math.floor((row.asOf - open) / every)
            parts.set(part, [...(parts.get(part) ?? []), row])
          }
          for (const part of parts.values()) {
            const [end, before] = [part.at(-1)!, part.findLast(({ asOf }) => asOf < close)]
            if (every === 'session' && ((end.asOf < close - 300_000 && date <= closed) || end.asOf > to)) continue
            const prices = part.map(({ figures }) => figures['underlying_price'] ?? Number.NaN)
            const imported = mine.find(({ chain }) => chain.asOf === end.asOf)!.fidelity === 'imported'
            const count = part.filter(({ asOf }) => asOf < close).length
            const [high, low] = [Math.max(...prices), Math.min(...prices)]
            rows.push(before ?? end)
            samples.set(before ?? end, [prices[0], high, low, prices.at(-1)!, count, Number(imported)])
          }
          continue
        }
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
      const waiting = mine
        .filter((snapshot) => snapshot.chain.asOf >= from && snapshot.chain.asOf <= to && waits(snapshot, readsTape))
        .map(({ chain }) => chain.asOf)
      const days = [...new Set(waiting.map(easternDate))]
      return {
        t: Float64Array.from(shown, ({ asOf }) => asOf),
        columns: [
          ...fields.map((name) => Float64Array.from(shown, ({ figures }) => figures[name] ?? Number.NaN)),
          ...(sampled ? sampleColumns : []).map((_, k) => Float64Array.from(shown, (row) => samples.get(row)![k]))
        ],
        waiting: days.map((day) => {
          const ofDay = waiting.filter((at) => easternDate(at) === day)
          return { from: ofDay[0], to: ofDay.at(-1)! }
        })
      }
    },
    waiting(before: Instant, symbol: Ticker | undefined): readonly WaitingDay[] {
      const days = new Map<string, { symbol: Ticker; date: IsoDate; moments: Instant[] }>()
      for (const snapshot of snapshots()) {
        const { symbol: of, asOf } = snapshot.chain
        if (asOf >= before || (symbol !== undefined && of !== symbol) || !waits(snapshot, true)) continue
        const date = easternDate(asOf)
        const day = days.get(`${date} ${of}`) ?? { symbol: of, date, moments: [] }
        day.moments.push(asOf)
        days.set(`${date} ${of}`, day)
      }
      return [...days.values()].sort((a, b) =>
        a.date === b.date ? (a.symbol < b.symbol ? -1 : 1) : a.date < b.date ? 1 : -1
      )
    },
    strikes({ symbol, date, figure, every }: StrikeRequest, at: Instant): readonly HeldStrikes[] {
      const mine = ofSymbol(symbol).filter(({ chain }) => easternDate(chain.asOf) === date && chain.asOf <= at)
      const dated = mine.map((snapshot) => ({ asOf: snapshot.chain.asOf, snapshot }))
      return lastOfBuckets(dated, date, every).map(({ asOf, snapshot }) => {
        const { strikes, [figure]: values } = rowOf(snapshot)?.strikes ?? {}
        const sums = strikes && values && strikes.length > 0 ? { strikes, values: values.map(toCents) } : undefined
        return { asOf, fidelity: snapshot.fidelity, sums }
      })
    }
  }
}

const nameOf = (symbol: Ticker, at: Instant) => `${symbol} ${at}`
const hasTape = ({ figures }: FigureRow) => 'flow.net_premium' in figures
const toCents = (figure: number) => Math.round(100 * figure) / 100

function isInSession(at: Instant): boolean {
  const hours = session(easternDate(at))
  return hours !== undefined && at >= hours.open
}
