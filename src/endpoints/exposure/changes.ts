import Type from 'typebox'
import { ranked, rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import { readWhole } from '../../api/number-text.ts'
import { type Parameter, symbolInPath, whole } from '../../api/params.ts'
import { Count, Notional, Nullable, Price, Timestamp } from '../../api/quantity.ts'
import { gammaChanges, largestChanges } from '../../exposure/breakdown/gamma-changes.ts'
import { liveScope } from '../../exposure/scope.ts'
import { completedSession, latestSession } from '../../market/calendar.ts'
import type { FigureColumns } from '../../market/figure-row.ts'
import type { StrikeColumn } from '../../market/strike-sums.ts'
import { type Instant, isoInstant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'

const MAX_MINUTES = 30
const usualWindows = [1, 5, 10, 15, 30]

const listOf = (text: string) => [...new Set(text.split(',').map((one) => readWhole(one.trim())))]

const minutes: Parameter<readonly number[]> = {
  in: 'query',
  schema: Type.String({
    default: usualWindows.join(),
    description: `a list of 1 to 5 whole numbers from 1 to ${MAX_MINUTES}, comma separated: how far back each window reaches`
  }),
  required: false,
  code: 'invalid_minutes',
  missing: 'invalid_minutes',
  example: '5,15',
  read(text) {
    const read = listOf(text)
    const sound = read.filter((one) => one !== undefined && one >= 1 && one <= MAX_MINUTES) as number[]
    return sound.length === read.length && sound.length <= usualWindows.length ? sound.sort((a, b) => a - b) : undefined
  },
  absent: usualWindows,
  canonical: (text) => listOf(text).sort().join()
}

/** A recorded moment with net gamma by strike and the price of the underlying. */
interface Recorded extends StrikeColumn {
  readonly underlying: number
}

/** Recorded moments of which both are known, ascending. */
function recordedOf(columns: readonly StrikeColumn[], { t, columns: [price] }: FigureColumns): readonly Recorded[] {
  const priceAt = new Map(Array.from(t, (at, k) => [at, price[k]]))
  return columns.flatMap((column) => {
    const underlying = priceAt.get(column.asOf) ?? Number.NaN
    return Number.isNaN(underlying) ? [] : [{ ...column, underlying }]
  })
}

/**
 * The newest recorded moment at least `back` minutes before another. Undefined if it is further back than half as much
 * again, at least a minute more: a change over a longer time is not that of the window.
 */
function baseOf(recorded: readonly Recorded[], asOf: Instant, back: number): Recorded | undefined {
  const latest = asOf - back * MILLISECONDS_PER_MINUTE
  const earliest = latest - Math.max(1, back / 2) * MILLISECONDS_PER_MINUTE
  return recorded.findLast(({ asOf: at }) => at <= latest && at >= earliest)
}

const parts = {
  from: Notional(),
  to: Notional(),
  change: Notional('to - from = spot + rest'),
  spot: Notional('what the move of spot alone makes of the contracts of now'),
  rest: Notional('what is new: time, volatility, open interest, listing')
}

export const changes = endpoint({
  id: 'exposure.changes',
  path: '/v1/exposure/changes/{symbol}',
  tag: 'exposure',
  summary: 'Largest changes of net gamma by strike over the last minutes',
  description:
    'Where gamma moved in the last 1 to 30 minutes: the strikes whose net gamma changed most, with what the move of spot made of it and what is new apart.',
  plan: 'growth',
  needs: ['chain', 'strikeColumns', 'figures'],
  strikesRead: (_, asOf) => ({ figure: 'gex', every: MILLISECONDS_PER_MINUTE, date: latestSession(asOf).date }),
  figuresRead: (_, { asOf, now }) => ({
    fields: ['underlying_price'],
    from: latestSession(asOf).open,
    to: asOf,
    every: MILLISECONDS_PER_MINUTE,
    until: asOf,
    closed: completedSession(now).date
  }),
  params: {
    symbol: symbolInPath(),
    minutes,
    top: whole({
      description: 'a whole number of strikes of each window',
      default: 5,
      minimum: 1,
      maximum: 50,
      clamp: true,
      code: 'invalid_top'
    })
  },
  replay: true,
  stream: false,
  response: Type.Object({
    ...envelope,
    windows: Type.Array(
      Type.Object(
        {
          minutes: Count('how far back the window reaches', { minimum: 1, maximum: MAX_MINUTES }),
          since: Nullable(Timestamp('the recorded moment that is compared; null if none was recorded near by')),
          underlying_price_since: Nullable(Price()),
          net: Nullable(Type.Object(parts, { title: 'NetGammaChange', description: 'net gamma of the whole chain' })),
          strikes: Nullable(
            Type.Array(Type.Object({ strike: Price(), ...parts }, { title: 'StrikeGammaChange' }), {
              ...rowKey('strike'),
              ...ranked,
              description: 'by the size of change'
            })
          )
        },
        { title: 'GammaChangeWindow' }
      ),
      rowKey('minutes')
    )
  }),
  answer: ({ chain, strikeColumns, figures }, { minutes, top }) => {
    const scope = liveScope(chain)
    const recorded = recordedOf(strikeColumns ?? [], figures)
    return {
      ...header(chain),
      windows: minutes.map((back) => {
        const base = baseOf(recorded, chain.asOf, back)
        const found = base && gammaChanges(scope, base)
        const sumOf = (name: keyof typeof parts) => (found ?? []).reduce((sum, change) => sum + change[name], 0)
        return {
          minutes: back,
          since: base && isoInstant(base.asOf),
          underlying_price_since: base?.underlying,
          net: found && {
            from: sumOf('from'),
            to: sumOf('to'),
            change: sumOf('change'),
            spot: sumOf('spot'),
            rest: sumOf('rest')
          },
          strikes: found && largestChanges(found, top)
        }
      })
    }
  }
})
