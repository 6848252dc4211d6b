import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CALENDAR_SETS } from '../src/state/page/expiration-set.ts'
import { type Leg, legsOf, textOfLegs } from '../src/state/page/legs.ts'
import {
  addressOf,
  CARDS,
  DAYS,
  DEALERS,
  EXPLAINED,
  IDEAS,
  METRICS,
  PERIODS,
  type Place,
  PREMIUMS,
  RIGHTS,
  readPlace,
  SCOPES,
  SECOND_GREEKS,
  SIDES,
  SIGNALS,
  STEPS,
  TABS,
  TAGS,
  VIEWS,
  WHENS
} from '../src/state/page/place.ts'
import { SCREEN_IDS } from '../src/state/page/screens.ts'

const twoDigits = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((each) => String(each).padStart(2, '0'))
const date = fc
  .tuple(fc.integer({ min: 2020, max: 2030 }), twoDigits(1, 12), twoDigits(1, 28))
  .map((each) => each.join('-'))
const wall = fc
  .tuple(date, twoDigits(0, 23), twoDigits(0, 59), twoDigits(0, 59))
  .map(([day, ...time]) => `${day}T${time.join(':')}`)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const words = fc.stringMatching(/^[A-Za-z(][ -~]{0,40}[a-z0-9)%&+=]$/)
const leg: fc.Arbitrary<Leg> = fc.record({
  quantity: fc.integer({ min: -99, max: 99 }).filter((each) => each !== 0),
  right: fc.constantFrom('C', 'P'),
  strike: fc.integer({ min: 1, max: 20_000 }).map((each) => each / 2),
  expiry: date
})

const anyPlace: fc.Arbitrary<Place> = fc.record({
  screen: fc.constantFrom(...SCREEN_IDS),
  symbol: fc.stringMatching(/^[A-Z0-9.^][A-Z0-9.^=-]{0,9}$/).filter((text) => text !== '.' && text !== '..'),
  at: maybe(wall),
  range: maybe(fc.integer({ min: 5, max: 200 }).map((each) => each / 10)),
  period: fc.constantFrom(...PERIODS),
  every: maybe(fc.constantFrom(...STEPS)),
  from: maybe(wall),
  to: maybe(wall),
  levels: maybe(fc.constantFrom('-walls', '-flip,-zero_dte')),
  panes: maybe(fc.constantFrom('none', 'net_gex,zero_dte.pin_score')),
  versus: maybe(fc.constantFrom('QQQ', 'BRK.B,IWM', 'SPX,NDX,RUT,VIX')),
  carried: maybe(fc.constantFrom('SPX', 'BRK.B')),
  card: maybe(fc.constantFrom(...CARDS)),
  cardSet: maybe(fc.oneof(fc.constantFrom(...CALENDAR_SETS), date)),
  tab: fc.constantFrom(...TABS),
  watch: maybe(fc.constantFrom(...EXPLAINED, ...SIGNALS)),
  since: maybe(fc.oneof(fc.constant('open'), wall)),
  strikes: fc.boolean(),
  cone: fc.boolean(),
  scale: fc.constantFrom('root', 'linear'),
  map: fc.boolean(),
  today: fc.boolean(),
  metric: fc.constantFrom(...METRICS),
  dealers: fc.constantFrom(...DEALERS),
  expirations: maybe(
    fc.oneof(
      fc.constantFrom(...CALENDAR_SETS),
      fc.uniqueArray(date, { minLength: 1, maxLength: 5 }).map((all) => all.sort().join())
    )
  ),
  expiry: maybe(date),
  compare: fc.boolean(),
  surface: fc.constantFrom('solid', 'heat'),
  heat: fc.constantFrom('gamma', 'flow'),
  move: fc.integer({ min: -40, max: 40 }).map((each) => each / 4),
  vol: fc.integer({ min: -10, max: 10 }),
  when: fc.constantFrom(...WHENS),
  side: maybe(fc.constantFrom(...SIDES)),
  right: maybe(fc.constantFrom(...RIGHTS)),
  tag: maybe(fc.constantFrom(...TAGS)),
  least: maybe(fc.constantFrom(...PREMIUMS)),
  scope: fc.constantFrom(...SCOPES),
  greek: fc.constantFrom(...SECOND_GREEKS),
  days: fc.constantFrom(...DAYS),
  basket: maybe(fc.array(fc.stringMatching(/^[A-Z]{1,5}$/), { minLength: 1, maxLength: 9 }).map((all) => all.join())),
  view: fc.constantFrom(...VIEWS),
  idea: maybe(fc.constantFrom(...IDEAS)),
  layout: maybe(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,9}$/)),
  list: maybe(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,9}$/)),
  shared: maybe(fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/)),
  universe: maybe(fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/)),
  where: maybe(words),
  formula: maybe(words),
  sort: maybe(
    fc.array(fc.stringMatching(/^-?[a-z][a-z0-9_]{0,9}$/), { minLength: 1, maxLength: 5 }).map((all) => all.join())
  ),
  legs: fc.array(leg, { maxLength: 12 }).map(textOfLegs),
  ahead: fc.integer({ min: 0, max: 3650 }),
  shock: fc.integer({ min: -20, max: 20 }),
  drift: fc.integer({ min: -50, max: 50 })
})

test('an address says everything that a page shows', () => {
  fc.assert(
    fc.property(anyPlace, (place) => {
      expect(readPlace(addressOf(place))).toEqual(place)
    })
  )
})

test('an address says no more than what differs from the defaults', () => {
  expect(addressOf(readPlace(''))).toBe('#/overview/SPY')
  expect(addressOf(readPlace('#/overview/SPY?map=on&scale=root&metric=gex'))).toBe('#/overview/SPY')
  expect(addressOf(readPlace('#/volatility/QQQ?at=2026-11-20T14:46:00'))).toBe(
    '#/volatility/QQQ?at=2026-11-20T14:46:00'
  )
})

test('what cannot be read is ignored and never fatal', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(SCREEN_IDS).toContain(readPlace(`#/${text}`).screen)
    })
  )
  expect(
    readPlace(
      '#/nowhere/%zz?range=900&at=yesterday&expiry=soon&metric=money&dealers=many&scale=cubic&move=0.1&vol=99&when=never&side=up&least=7&scope=old&greek=rho'
    )
  ).toEqual(readPlace(''))
})

test('legs are read as a desk writes them, and what is no leg is left out', () => {
  const [bought, sold] = legsOf('+1C700@2026-12-18,-2P 650@2026-12-18,-2P650.5@2026-12-18')
  expect(bought).toEqual({ quantity: 1, right: 'C', strike: 700, expiry: '2026-12-18' })
  expect(sold).toEqual({ quantity: -2, right: 'P', strike: 650.5, expiry: '2026-12-18' })
  expect(readPlace('#/lab/SPY?legs=+1C700@2026-12-18,-1C710@2026-12-18').legs).toBe(
    '+1C700@2026-12-18,-1C710@2026-12-18'
  )
  expect(legsOf('0C700@2026-12-18,+1X700@2026-12-18,+1C0@2026-12-18')).toEqual([])
})
