import Type from 'typebox'
import { ranked, rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { endpoint, type Since } from '../../api/endpoint.ts'
import { envelope, header } from '../../api/envelope.ts'
import type { Parameter } from '../../api/params.ts'
import { Count, Day, Notional, Price, Timestamp } from '../../api/quantity.ts'
import { type Attribution, attribution as attributionOf } from '../../exposure/breakdown/attribution.ts'
import { contributions, type ExposurePart } from '../../exposure/breakdown/contributions.ts'
import { datesOf, scopeOf } from '../../exposure/scope.ts'
import { scopeOfDates } from '../../exposure/scope-of-dates.ts'
import { easternDateTime, parseEasternDateTime } from '../../market/eastern.ts'
import { isoInstant } from '../../market/units.ts'
import { setScope, setScopeSchema } from './scope-block.ts'
import { bySet, sameDayGate, scopeAsked, scoped } from './scoped.ts'

const wallClock = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/

const since: Parameter<Since> = {
  in: 'query',
  schema: Type.String({
    default: 'prior_close',
    description: 'prior_close, open, or a New York moment, yyyy-MM-ddTHH:mm or yyyy-MM-ddTHH:mm:ss',
    examples: ['prior_close', 'open', '2026-07-29T10:00:00']
  }),
  required: false,
  code: 'invalid_since',
  missing: 'invalid_since',
  example: 'prior_close',
  read: (text) => {
    if (text === 'prior_close' || text === 'open') return text
    if (!wallClock.test(text)) return undefined
    const whole = text.length === 16 ? `${text}:00` : text
    const at = parseEasternDateTime(whole)
    return at !== undefined && easternDateTime(at) === whole ? at : undefined
  },
  absent: 'prior_close'
}

const partsBlock = block(
  Type.Object(
    {
      from: Notional(),
      to: Notional('that of the plain endpoint'),
      listing: Notional('contracts of one moment alone: expired, newly listed, priced in one of the two only'),
      open_interest: Notional(),
      time: Notional(),
      spot: Notional(),
      volatility: Notional(),
      carry: Notional('rates and yields')
    },
    { title: 'ExposureChangeParts', description: 'to - from is the sum of the other six' }
  ),
  ({ from, to, listing, players }: Attribution) => ({ from, to, listing, ...players })
)

/** Number of rows that each list shows: the expirations or strikes whose exposure changed most. */
const TOP = 5

interface Change<Key> {
  readonly key: Key
  readonly from: number
  readonly to: number
}

/** The parts of an exposure that changed most, up or down. `order` sorts parts with equal changes. */
function mostChanged<Key>(
  before: readonly ExposurePart<Key>[],
  now: readonly ExposurePart<Key>[],
  order: (a: Key, b: Key) => number
): readonly Change<Key>[] {
  const [from, to] = [before, now].map((parts) => new Map(parts.map(({ key, value }) => [key, value])))
  const keys = [...new Set([...from.keys(), ...to.keys()])]
  const changes = keys.map((key) => ({ key, from: from.get(key) ?? 0, to: to.get(key) ?? 0 }))
  const size = (change: Change<Key>) => Math.abs(change.to - change.from)
  return changes.sort((a, b) => size(b) - size(a) || order(a.key, b.key)).slice(0, TOP)
}

export const attribution = endpoint({
  id: 'exposure.attribution',
  path: '/v1/exposure/attribution/{symbol}',
  tag: 'exposure',
  summary: 'Why a net exposure changed',
  description:
    'Splits the change of each net exposure since the previous close, the open or a moment into spot, volatility, time, carry, open interest and listing. The parts sum to the change.',
  plan: 'growth',
  gates: [sameDayGate],
  needs: ['chain', 'earlier'],
  sinceRead: ({ since }) => since,
  params: { ...scoped, since },
  ...bySet,
  errors: ['no_data'],
  replay: true,
  stream: false,
  response: Type.Object({
    ...envelope,
    since: Timestamp('the moment of the earlier chain, UTC'),
    underlying_price_since: Price(),
    contracts: Type.Object(
      {
        common: Count('in both, with a volatility in both', { minimum: 0 }),
        since_only: Count(undefined, { minimum: 0 }),
        now_only: Count(undefined, { minimum: 0 })
      },
      { title: 'AttributedContracts' }
    ),
    gex: partsBlock.schema,
    dex: partsBlock.schema,
    vex: partsBlock.schema,
    chex: partsBlock.schema,
    top_expirations: Type.Array(
      Type.Object({ expiration: Day(), from: Notional(), to: Notional() }, { title: 'AttributionExpiration' }),
      {
        ...rowKey('expiration'),
        ...ranked,
        maxItems: TOP,
        description: 'where gex changed most'
      }
    ),
    top_strikes: Type.Array(
      Type.Object({ strike: Price(), from: Notional(), to: Notional() }, { title: 'AttributionStrike' }),
      {
        ...rowKey('strike'),
        ...ranked,
        maxItems: TOP,
        description: 'where gex changed most'
      }
    ),
    ...setScopeSchema
  }),
  answer: ({ chain, earlier }, asked) => {
    const now = scopeAsked(chain, asked)
    const before =
      asked.expirations === undefined ? scopeOf(earlier, asked.expiration) : scopeOfDates(earlier, datesOf(now))
    const { parts, contracts } = attributionOf(before, now)
    const [past, present] = [before, now].map((scope) => contributions(scope, 'gex'))
    return {
      ...header(chain),
      since: isoInstant(earlier.asOf),
      underlying_price_since: earlier.spot,
      contracts: { common: contracts.common, since_only: contracts.sinceOnly, now_only: contracts.nowOnly },
      gex: partsBlock.fill(parts.gex),
      dex: partsBlock.fill(parts.dex),
      vex: partsBlock.fill(parts.vex),
      chex: partsBlock.fill(parts.chex),
      top_expirations: mostChanged(past.byExpiration, present.byExpiration, (a, b) => (a < b ? -1 : 1)).map(
        ({ key, ...change }) => ({ expiration: key, ...change })
      ),
      top_strikes: mostChanged(past.byStrike, present.byStrike, (a, b) => a - b).map(({ key, ...change }) => ({
        strike: key,
        ...change
      })),
      ...setScope(now, asked)
    }
  }
})
