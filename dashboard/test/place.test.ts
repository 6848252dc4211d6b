import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addressOf,
  METRICS,
  type Place,
  PREMIUMS,
  RIGHTS,
  readPlace,
  SCREENS,
  SIDES,
  TAGS,
  WHENS
} from '../src/state/place.ts'

const twoDigits = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((each) => String(each).padStart(2, '0'))
const date = fc
  .tuple(fc.integer({ min: 2020, max: 2030 }), twoDigits(1, 12), twoDigits(1, 28))
  .map((each) => each.join('-'))
const wall = fc
  .tuple(date, twoDigits(0, 23), twoDigits(0, 59), twoDigits(0, 59))
  .map(([day, ...time]) => `${day}T${time.join(':')}`)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

const anyPlace: fc.Arbitrary<Place> = fc.record({
  screen: fc.constantFrom(...SCREENS),
  symbol: fc.stringMatching(/^[A-Z0-9.^=-]{1,10}$/).filter((text) => text !== '.' && text !== '..'),
  at: maybe(wall),
  range: maybe(fc.integer({ min: 5, max: 200 }).map((each) => each / 10)),
  scale: fc.constantFrom('root', 'linear'),
  map: fc.boolean(),
  today: fc.boolean(),
  metric: fc.constantFrom(...METRICS),
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
  least: maybe(fc.constantFrom(...PREMIUMS))
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
      expect(SCREENS).toContain(readPlace(`#/${text}`).screen)
    })
  )
  expect(
    readPlace(
      '#/nowhere/%zz?range=900&at=yesterday&expiry=soon&metric=money&scale=cubic&move=0.1&vol=99&when=never&side=up&least=7'
    )
  ).toEqual(readPlace(''))
})
