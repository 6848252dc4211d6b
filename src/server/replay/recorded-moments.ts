import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { apiError } from '../../api/error.ts'
import { date as dateParameter, symbolInPath } from '../../api/params.ts'
import { Day, Words } from '../../api/quantity.ts'
import { textSerializerOf } from '../../api/serializer.ts'
import type { HeldMoment, HistoryStore } from '../../archive/history-store.ts'
import { daysBetween, session, tradingDays } from '../../market/calendar.ts'
import { easternDateTime } from '../../market/eastern.ts'
import { parentOfRoot } from '../../market/security.ts'
import { type IsoDate, MILLISECONDS_PER_MINUTE, type Ticker } from '../../market/units.ts'
import { firstMomentOf } from '../../replay/replay-moment.ts'

export const recordedPath = '/v1/recorded/{symbol}'

/** Most days of a request. A day of minutes is 4 KB. */
const MOST_DAYS = 31
/** The last snapshot of a session may be taken this long after its close, milliseconds. */
const AFTER_CLOSE = 30 * MILLISECONDS_PER_MINUTE

export const recordedParameters = {
  symbol: symbolInPath('no_coverage'),
  from: dateParameter({ description: 'first day', code: 'invalid_parameter', required: true, example: '2026-07-29' }),
  to: dateParameter({
    description: `last day, at most ${MOST_DAYS} days later; without it the first one`,
    example: '2026-07-29'
  })
}

export const recordedShape = Type.Object(
  {
    symbol: Type.String(),
    sessions: Type.Array(
      Type.Object(
        {
          date: Day(),
          level: Words('recorded', 'imported'),
          moments: Type.Array(Type.String({ pattern: '^\\d{2}:\\d{2}:\\d{2}$' }), {
            description: 'New York times that the replay host answers with a snapshot of their own, ascending'
          })
        },
        { title: 'RecordedSession' }
      ),
      { ...rowKey('date'), description: 'sessions of which something is recorded, ascending' }
    )
  },
  { title: 'RecordedMoments' }
)
const write = textSerializerOf(recordedShape)

/**
 * The moments of a symbol that can be replayed, by session, as JSON. Throws no_coverage for a symbol that was never
 * recorded, invalid_parameter for a range that ends before it begins or is too long.
 */
export async function recordedMoments(
  history: HistoryStore,
  { symbol, from, to = from }: { readonly symbol: Ticker; readonly from: IsoDate; readonly to?: IsoDate | undefined }
): Promise<string> {
  const span = daysBetween(from, to)
  if (span < 0) throw apiError('invalid_parameter', 'to is before from', { parameter: 'to' })
  if (span >= MOST_DAYS)
    throw apiError('invalid_parameter', `at most ${MOST_DAYS} days at once`, { parameter: 'to', maximum: MOST_DAYS })
  const days = tradingDays(from, to).map((day) => session(day)!)
  const held = parentOfRoot(symbol) ?? symbol
  const [first, last] = [days[0], days.at(-1)]
  const found = first && last ? await history.moments(held, first.open, last.close + AFTER_CLOSE) : []
  if (found.length === 0 && (await history.coverage(held)) === undefined) throw apiError('no_coverage')
  const sessions = days.flatMap(({ date, open, close }) => {
    const moments = found.filter(({ asOf }) => open <= asOf && asOf <= close + AFTER_CLOSE)
    return moments.length === 0 ? [] : [{ date, level: levelOf(moments), moments: timesOf(moments) }]
  })
  return write({ symbol, sessions })
}

const levelOf = (moments: readonly HeldMoment[]) =>
  moments.every(({ fidelity }) => fidelity === 'imported') ? 'imported' : 'recorded'

const timesOf = (moments: readonly HeldMoment[]): readonly string[] => [
  ...new Set(moments.map(({ asOf }) => easternDateTime(firstMomentOf(asOf)).slice(11, 19)))
]
