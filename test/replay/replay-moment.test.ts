import { describe, expect, test } from 'vitest'
import { closingMoment, isCurrentSnapshot } from '../../src/archive/closing.ts'
import type { IsoDate } from '../../src/market/units.ts'
import { noDataReason, parseMoment } from '../../src/replay/replay-moment.ts'

const utc = (text: string) => {
  const at = parseMoment(text)
  return at === undefined ? undefined : new Date(at).toISOString()
}

describe('a moment', () => {
  test.each([
    ['2026-07-29T15:30:00', '2026-07-29T19:30:00.000Z'],
    ['2026-01-15T15:30:00', '2026-01-15T20:30:00.000Z'],
    ['2026-07-29', '2026-07-29T20:00:00.000Z'],
    ['2026-11-27', '2026-11-27T21:00:00.000Z'],
    ['2026-07-29T00:00:00', '2026-07-29T04:00:00.000Z'],
    ['2026-07-29T23:59:59', '2026-07-30T03:59:59.000Z'],
    ['2026-11-01T01:30:00', '2026-11-01T05:30:00.000Z']
  ])('%s is the New York clock: %s', (text, expected) => {
    expect(utc(text)).toBe(expected)
  })

  test.each([
    '',
    '2026-07-29T15:30:00Z',
    '2026-07-29T15:30:00-04:00',
    '2026-07-29T15:30:00.000',
    '2026-07-29T15:30',
    '2026-07-29 15:30:00',
    '2026-07-29t15:30:00',
    ' 2026-07-29',
    '2026-07-29\n',
    '2026-7-29',
    '20260729',
    '2026-02-30',
    '2026-13-01',
    '2026-02-30T12:00:00',
    '2026-07-29T24:00:00',
    '2026-07-29T15:60:00',
    '2026-07-29T15:30:60',
    '2026-07-29T15-30-00',
    '2026-03-08T02:30:00', // no clock showed it: daylight time began
    '1785338999',
    'now'
  ])('%j is none', (text) => {
    expect(parseMoment(text)).toBeUndefined()
  })
})

describe('before anything is looked up', () => {
  const bounds = { now: parseMoment('2026-07-29T15:30:00')!, from: '2017-01-03' as IsoDate }
  const why = (text: string) => noDataReason(parseMoment(text)!, bounds)

  test.each([
    ['2017-01-02', 'history is served from 2017-01-03'],
    ['2016-12-30T12:00:00', 'history is served from 2017-01-03'],
    ['2026-07-29T15:30:01', '2026-07-29T15:30:01 lies in the future'],
    ['2026-07-29', '2026-07-29T16:00:00 lies in the future'],
    ['2026-07-25', '2026-07-25 was no trading day'],
    ['2026-07-03', '2026-07-03 was no trading day'],
    ['2026-07-29T09:29:59', 'the session of 2026-07-29 had not opened at 09:29:59'],
    ['2026-07-29T00:00:00', 'the session of 2026-07-29 had not opened at 00:00:00']
  ])('%s holds nothing: %s', (text, sentence) => {
    expect(why(text)).toBe(sentence)
  })

  test.each([
    '2017-01-03',
    '2026-07-28',
    '2026-07-29T09:30:00',
    '2026-07-29T15:30:00',
    '2026-07-28T23:59:59'
  ])('%s may hold something', (text) => {
    expect(why(text)).toBeUndefined()
  })
})

describe('a snapshot', () => {
  const current = (asOf: string, at: string) => isCurrentSnapshot(parseMoment(asOf)!, parseMoment(at)!)

  test.each([
    ['2026-07-29T12:00:00', '2026-07-29T12:05:00', true],
    ['2026-07-29T12:00:00', '2026-07-29T12:05:01', false],
    ['2026-07-29T15:55:00', '2026-07-29', true],
    ['2026-07-29T15:54:59', '2026-07-29', false],
    ['2026-07-29T15:55:00', '2026-07-29T23:59:59', true],
    ['2026-11-27T12:55:00', '2026-11-27', true],
    ['2026-11-27T12:54:59', '2026-11-27', false],
    ['2026-11-27T13:00:00', '2026-11-27T20:00:00', true]
  ])('of %s stands for %s: %s', (asOf, at, expected) => {
    expect(current(asOf, at)).toBe(expected)
  })

  test.each([
    ['2026-07-29T15:54:59', undefined],
    ['2026-07-29T15:55:00', '2026-07-29T16:00:00'],
    ['2026-07-29T16:00:00', '2026-07-29T16:00:00'],
    ['2026-07-29T16:15:00', '2026-07-29T16:15:00']
  ])('of %s is the close as of %s', (asOf, described) => {
    const close = parseMoment('2026-07-29')!
    expect(closingMoment(parseMoment(asOf)!, close)).toBe(described && parseMoment(described))
  })
})
