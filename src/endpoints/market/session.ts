import Type from 'typebox'
import { moment } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { symbolInPath } from '../../api/params.ts'
import { Day, Name, Nullable, Price, Timestamp, Words } from '../../api/quantity.ts'
import { marketSession, sessionStatuses } from '../../market/market-session.ts'
import { isoInstant } from '../../market/units.ts'

export const marketHours = endpoint({
  id: 'market.session',
  path: '/v1/market/session/{symbol}',
  tag: 'market-data',
  summary: 'Hours of the market of a symbol',
  description:
    'For pages and programs that should know when figures move: whether the session is on, its hours, the next open and the close before. Early closes and holidays are those of the exchange.',
  plan: 'free',
  needs: ['anyQuote', 'minute', 'previousClose'],
  params: { symbol: symbolInPath() },
  errors: ['no_data'],
  replay: true,
  stream: false,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    underlying_price: Nullable(Price('null where the symbol is not quoted')),
    as_of: Timestamp('the minute of the market that the status is of, UTC', moment),
    date: Day('of the session of as_of, or of the last session before it'),
    status: Words(...sessionStatuses),
    open: Timestamp(),
    close: Timestamp(),
    is_half_day: Type.Boolean(),
    next_open: Timestamp('of the session after this one'),
    last_close: Timestamp('of the newest session that is over, UTC: figures are of then until the next open'),
    previous_date: Day('of the session before this one'),
    previous_close: Nullable(Price('of the previous session; null if nothing is stored of it'))
  }),
  answer: ({ anyQuote, minute, previousClose }, { symbol }) => {
    const { date, status, open, close, early, nextOpen, lastClose, previousDate } = marketSession(minute)
    return {
      symbol,
      underlying_price: anyQuote?.spot,
      as_of: isoInstant(minute),
      date,
      status,
      open: isoInstant(open),
      close: isoInstant(close),
      is_half_day: early,
      next_open: isoInstant(nextOpen),
      last_close: isoInstant(lastClose),
      previous_date: previousDate,
      previous_close: previousClose
    }
  }
})
