import Type from 'typebox'
import { along, rowKey } from '../../api/annotations.ts'
import { endpoint } from '../../api/endpoint.ts'
import { choice, number, whole } from '../../api/params.ts'
import { Decimal, Level, Notional, Price, Words } from '../../api/quantity.ts'
import { exposureProfile, profileBuckets } from '../../exposure/spot-ladder/exposure-profile.ts'
import { nextClose, nextOpen } from '../../market/calendar.ts'
import type { Instant } from '../../market/units.ts'
import { dealerModel } from './dealer-model.ts'
import { charmUnit } from './net-block.ts'
import { setScope, setScopeSchema } from './scope-block.ts'
import { bySet, fullChainGate, sameDayGate, scopeAsked, scoped } from './scoped.ts'
import { checkWeight, weight, weightedBook, weightedEnvelope, weightedHeader, weightReads } from './weight.ts'

const moments = ['now', 'close', 'next_open'] as const
type When = (typeof moments)[number]

const momentOf: Readonly<Record<When, (asOf: Instant) => Instant>> = {
  now: (asOf) => asOf,
  close: (asOf) => nextClose(asOf) - 1,
  next_open: nextOpen
}

const when = choice({
  description: 'now, close or next_open: the moment that the clock is moved to, the chain otherwise unchanged',
  spelling: { now: 'now', close: 'close', next_open: 'next_open' } as const,
  default: 'now',
  code: 'invalid_when'
})

const alongSpots = (what: string) =>
  Type.Array(Notional(), { ...along('spots'), description: `${what} at each of spots` })

export const profile = endpoint({
  id: 'exposure.profile',
  path: '/v1/exposure/profile/{symbol}',
  tag: 'exposure',
  summary: 'Net exposures over a range of spots, now and later',
  description:
    'What the exposures would be at other prices of the underlying: curves over a range of spots, now, at the close and at the next open. Shows how far away the flip is and how steep.',
  plan: 'basic',
  gates: [fullChainGate, sameDayGate],
  needs: ['chain', 'sessionPositions'],
  params: {
    ...scoped,
    range_pct: number({
      description: 'a number: how far the spots reach to both sides, percent',
      default: 10,
      minimum: 0.5,
      maximum: 50,
      clamp: true,
      code: 'invalid_range_pct'
    }),
    points: whole({
      description: 'a whole number of spots, an even one raised by one',
      default: 121,
      minimum: 11,
      maximum: 601,
      clamp: true,
      code: 'invalid_points'
    }),
    when,
    vol_shift: number({
      description: 'a number of vol points, added to every volatility',
      default: 0,
      minimum: -20,
      maximum: 50,
      clamp: true,
      code: 'invalid_vol_shift'
    }),
    dealer_model: dealerModel,
    weight
  },
  ...bySet,
  check: checkWeight,
  positionsRead: weightReads,
  replay: true,
  stream: false,
  response: Type.Object({
    ...weightedEnvelope,
    when: Words(...moments),
    vol_shift: Decimal(4, 'vol-points', 'added to every volatility'),
    spots: Type.Array(Price(), {
      ...along('spots'),
      minItems: 11,
      maxItems: 601,
      description: 'ascending, underlying_price in the middle'
    }),
    gex: alongSpots('USD of delta gained per 1 % move of spot'),
    dex: alongSpots('USD delta of the option holders'),
    vex: alongSpots('USD of delta gained per +1.00 of volatility'),
    chex: alongSpots(charmUnit),
    by_bucket: Type.Array(
      Type.Object(
        {
          bucket: Words(...profileBuckets.map(({ bucket }) => bucket)),
          gex: Type.Array(Notional())
        },
        { title: 'ProfileBucket' }
      ),
      { ...rowKey('bucket'), minItems: 5, maxItems: 5, description: 'gex by days to expiry at as_of' }
    ),
    crossings: Type.Array(Level(), { description: 'spots at which gex changes its sign, ascending' }),
    ...setScopeSchema
  }),
  answer: ({ chain, sessionPositions }, { range_pct, points, when, vol_shift, ...asked }) => {
    const scope = scopeAsked(chain, asked, weightedBook(chain, asked, sessionPositions))
    const { byBucket, ...found } = exposureProfile(scope, {
      reach: range_pct / 100,
      points: points + 1 - (points % 2),
      asOf: momentOf[when](chain.asOf),
      shift: vol_shift / 100
    })
    return {
      ...weightedHeader(chain, asked),
      when,
      vol_shift,
      ...found,
      by_bucket: profileBuckets.map(({ bucket }, k) => ({ bucket, gex: byBucket[k] })),
      ...setScope(scope, asked)
    }
  }
})
