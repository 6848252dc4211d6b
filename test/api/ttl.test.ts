import { expect, test } from 'vitest'
import { isWithinTtl } from '../../src/api/ttl.ts'
import { eastern } from '../support/hand-made.ts'

const minutes = 60_000
const made = (date: string, time: string, delay = 0) => ({ asOf: eastern(date, time), delay })

test.each([
  ['made a moment ago', made('2026-07-29', '11:00'), eastern('2026-07-29', '11:04:59'), true],
  ['as old as it may be', made('2026-07-29', '11:00'), eastern('2026-07-29', '11:05'), false],
  [
    'of delayed data that was handed out a moment ago',
    made('2026-07-29', '10:45', 900),
    eastern('2026-07-29', '11:04:59'),
    true
  ],
  [
    'of delayed data that was handed out too long ago',
    made('2026-07-29', '10:45', 900),
    eastern('2026-07-29', '11:05'),
    false
  ],
  ['made in the last minutes, at night', made('2026-07-29', '15:58'), eastern('2026-07-29', '23:00'), true],
  [
    'made in the last minutes, before the next open',
    made('2026-07-29', '15:58'),
    eastern('2026-07-30', '09:29:59'),
    true
  ],
  ['made in the last minutes, at the next open', made('2026-07-29', '15:58'), eastern('2026-07-30', '09:30'), false],
  ['made before the last minutes, at night', made('2026-07-29', '15:50'), eastern('2026-07-29', '23:00'), false],
  ['made after the close, next morning', made('2026-07-29', '15:50', 900), eastern('2026-07-30', '08:00'), true],
  ['made at the close of a Friday, on Sunday', made('2026-07-31', '16:00'), eastern('2026-08-02', '12:00'), true],
  [
    'made at the end of a half day, in the afternoon',
    made('2026-11-27', '12:59'),
    eastern('2026-11-27', '15:59'),
    true
  ],
  ['from a moment that is still to come', made('2026-07-29', '11:00'), eastern('2026-07-29', '10:59:59'), false]
])('an answer %s', (_, chain, now, isWithin) => {
  expect(isWithinTtl(chain, 5 * minutes, now)).toBe(isWithin)
})
