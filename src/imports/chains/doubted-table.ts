import type { Absence } from '../../archive/history-store.ts'
import { CALL } from '../../market/chain.ts'
import { easternDateTime } from '../../market/eastern.ts'
import type { Moment, MomentRow } from './moment-rows.ts'

interface Column {
  readonly name: string
  /** Snapshots that lack this have no such column. */
  readonly absence?: Absence
  readonly cell: (row: MomentRow) => string
}

const price = (value: number) => (Number.isNaN(value) ? '' : String(value))
const count = (value: number) => (value < 0 ? '' : String(value))

const columns: readonly Column[] = [
  { name: 'time', cell: ({ stated }) => easternDateTime(stated).replace('T', ' ') },
  { name: 'root', cell: ({ root }) => root },
  { name: 'expiration', cell: ({ expiration }) => expiration },
  { name: 'strike', cell: ({ strike }) => String(strike) },
  { name: 'right', cell: ({ right }) => (right === CALL ? 'C' : 'P') },
  { name: 'bid', cell: ({ bid }) => price(bid) },
  { name: 'ask', cell: ({ ask }) => price(ask) },
  { name: 'last', cell: ({ last }) => price(last) },
  { name: 'bid_size', absence: 'quote_sizes', cell: ({ bidSize }) => count(bidSize) },
  { name: 'ask_size', absence: 'quote_sizes', cell: ({ askSize }) => count(askSize) },
  { name: 'volume', absence: 'option_volume', cell: ({ volume }) => count(volume) },
  { name: 'open_interest', absence: 'open_interest', cell: ({ openInterest }) => count(openInterest) },
  { name: 'underlying_price', cell: (row) => price(row.price) },
  { name: 'underlying_bid', cell: ({ underlyingBid }) => price(underlyingBid) },
  { name: 'underlying_ask', cell: ({ underlyingAsk }) => price(underlyingAsk) }
]

export interface DoubtedTableOptions {
  readonly missing: readonly Absence[]
  /** Whether open interest was counted at the end of the session. */
  readonly isAfter: boolean
}

/** The rows of a doubted moment as a table that `import csv` reads without a map: its heading and its lines. */
export function doubtedTable(
  { symbol, date }: Moment,
  rows: readonly MomentRow[],
  { missing, isAfter }: DoubtedTableOptions
): { readonly heading: string; readonly lines: readonly string[] } {
  const shown = columns.filter(({ absence }) => absence === undefined || !missing.includes(absence))
  const names = shown.map(({ name }) => (name === 'open_interest' && isAfter ? 'open_interest_after' : name))
  const heading = ['symbol', 'date', ...names].join(',')
  const lines = rows.map((row) => [symbol, date, ...shown.map(({ cell }) => cell(row))].join(','))
  return { heading, lines }
}
