import type { EarningsCalendar } from '../../src/api/market-source.ts'
import { addDays } from '../../src/market/calendar.ts'
import {
  type EarningsEvent,
  type EarningsTiming,
  type EventRecord,
  type SymbolEarnings,
  sessionsAround,
  unstated
} from '../../src/market/earnings.ts'
import { easternDate } from '../../src/market/eastern.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import type { Market } from './markets.ts'

const timings: readonly (EarningsTiming | undefined)[] = ['amc', 'bmo', undefined, 'dmh']

/** The reports of a market's symbol: one to come some days ahead, and a dozen behind, each with its record. */
export function madeUpEarnings({ chain, name }: Market): SymbolEarnings {
  const today = easternDate(chain.asOf)
  const timing = timings[name.length % timings.length]
  const past = Array.from({ length: 12 }, (_, k): EarningsEvent => {
    const quarter = 12 - k
    const date = addDays(today, -91 * quarter + 7)
    const epsActual = 1 + 0.03 * ((k * 7) % 5) - 0.05
    return { ...unstated, date, timing, fiscalPeriod: `Q${1 + (k % 4)}`, fiscalYear: 2023, epsEstimate: 1, epsActual }
  })
  const coming = { ...unstated, date: addDays(today, 7), timing, epsEstimate: 1.1, importance: 4 }
  const records = past.map((event, k): EventRecord => {
    const move = 4 * Math.sin(2 * k + 1)
    return { ...sessionsAround(event), version: 1, impliedMove: 3 + (k % 3), preIv: 60 + k, postIv: 35 - k, move }
  })
  return {
    symbol: chain.symbol,
    events: [...past, coming],
    records: new Map(records.map((record) => [record.before, record])),
    storedMove: 3.5
  }
}

/** A calendar with that symbol, and others of which less is known. */
export function madeUpCalendar(market: Market): EarningsCalendar {
  const earnings = madeUpEarnings(market)
  const { symbol, events, storedMove } = earnings
  const today = easternDate(market.chain.asOf)
  const event = events.at(-1)!
  const other = (name: string, days: number, importance: number | undefined, move: number | undefined) => ({
    symbol: name as Ticker,
    event: { ...unstated, date: addDays(today, days) as IsoDate, importance },
    storedMove: move
  })
  return {
    reports: [
      other('ZZ', 30, 5, 4),
      { symbol, event, storedMove },
      other('YY', 7, undefined, undefined),
      other('XX', 0, 2, 2)
    ],
    histories: new Map([[symbol, { earnings, bars: market.bars ?? [] }]])
  }
}
