import { expect, test } from 'vitest'
import { age, fixed, level, percent, price, short, usd } from '../src/parts/format.ts'

const thin = '\u2009'

test.each([
  [10_912_353_195, `10.9${thin}B`],
  [416_200_000, `416${thin}M`],
  [999_950, `1.00${thin}M`],
  [999_499, `999${thin}K`],
  [1_500, `1.50${thin}K`],
  [999, '999'],
  [0.5, '0.50'],
  [0, '0'],
  [-644_000_000, `−644${thin}M`],
  [1.5e15, `1500${thin}T`]
])('%d is short as %s', (value, text) => {
  expect(short(value)).toBe(text)
})

test('two digits are enough for a cell', () => {
  expect(short(2_512_000, 'plain', 2)).toBe(`2.5${thin}M`)
  expect(short(99_960_000, 'plain', 2)).toBe(`100${thin}M`)
})

test('a figure that does not exist is a dash and never 0', () => {
  for (const write of [short, usd, price, level, percent]) {
    expect(write(null)).toBe('–')
    expect(write(undefined)).toBe('–')
  }
  expect(fixed(null, 2)).toBe('–')
  expect(fixed(Number.NaN, 2)).toBe('–')
})

test('a minus is a minus, and nothing is minus zero', () => {
  expect(usd(-60_200_000)).toBe(`−$60.2${thin}M`)
  expect(percent(-2.52)).toBe(`−2.5${thin}%`)
  expect(fixed(-0.001, 2)).toBe('0.00')
  expect(fixed(0.36, 2, 'signed')).toBe('+0.36')
})

test('a strike has no cents where it needs none, a price always has', () => {
  expect(level(700)).toBe('700')
  expect(level(87.5)).toBe('87.50')
  expect(price(5_012)).toBe('5,012.00')
})

test.each([
  [0, `0${thin}s`],
  [59.9, `59${thin}s`],
  [60, `1${thin}min`],
  [7199, `1${thin}h`],
  [200_000, `2${thin}d`],
  [undefined, '–']
])('%d seconds ago is %s', (seconds, text) => {
  expect(age(seconds)).toBe(text)
})
