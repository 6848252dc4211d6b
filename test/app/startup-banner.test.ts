import { expect, test } from 'vitest'
import { closedNote, startupBanner } from '../../src/app/startup-banner.ts'
import { combine } from '../../src/connectors/combine.ts'
import type { Connector } from '../../src/connectors/port/connector.ts'
import { plainConnector } from '../support/declared-connector.ts'

const banner = (
  source: Connector,
  {
    silence,
    closed,
    dashboard,
    demoKeys
  }: Partial<Pick<Parameters<typeof startupBanner>[0], 'silence' | 'closed' | 'dashboard' | 'demoKeys'>> = {}
) =>
  startupBanner({
    silence,
    version: '1.2.3',
    address: 'http://127.0.0.1:8080',
    dashboard,
    replay: 'http://127.0.0.1:8081',
    stream: 'http://127.0.0.1:8082',
    operations: 'http://127.0.0.1:8083',
    source,
    moment: '2026-07-29T15:00:00.000Z',
    closed,
    data: './data',
    demoKeys,
    example: 'SPY'
  })

test('the banner names the one source there is, with its terms', () => {
  const text = banner(plainConnector('desk'))
  expect(text).toContain('\n  data source    desk\n  terms          Terms of desk.\n  market moment  ')
})

test('the banner shows where the dashboard opens, where it is served', () => {
  const dashboard = 'http://127.0.0.1:8080/?open=once'
  expect(banner(plainConnector('desk'), { dashboard })).toContain(`\n  dashboard      ${dashboard}\n  REST           `)
  expect(banner(plainConnector('desk'))).not.toContain('dashboard')
})

test('long terms are wrapped between words', () => {
  const terms = 'Only for those who have agreed to what the exchange asks of everybody who shows its quotes to others.'
  const text = banner({ ...plainConnector('desk'), terms })
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith('  terms '))
  expect(lines.slice(at, at + 2)).toEqual([
    '  terms          Only for those who have agreed to what the exchange asks of everybody who shows its quotes',
    '                 to others.'
  ])
})

test('a start on a weekend says that the market is closed and how to see it move', () => {
  const sunday = Date.parse('2026-11-22T14:00:00Z')
  expect(banner(plainConnector('desk'), { closed: closedNote(sunday, true)! })).toContain(
    [
      '  market moment  2026-07-29T15:00:00.000Z',
      '                 closed: figures stand at the close of Friday, 2026-11-20',
      '                 and move again from Monday, 2026-11-23, 09:30 New York.',
      '                 To see them move now: npm start -- --clock demo',
      '  data folder    ./data'
    ].join('\n')
  )
  expect(closedNote(sunday, false)!.at(-1)).toContain('npm start -- --source synthetic --clock demo')
})

test.each([
  ['2026-11-23T12:00:00Z', 'Friday, 2026-11-20', 'Monday, 2026-11-23'], // before the open
  ['2026-11-25T22:00:00Z', 'Wednesday, 2026-11-25', 'Friday, 2026-11-27'], // over Thanksgiving
  ['2026-11-27T18:00:00Z', 'Friday, 2026-11-27', 'Monday, 2026-11-30'] // a half day has closed
])('at %s the last close was on %s and the next open is on %s', (now, last, next) => {
  expect(closedNote(Date.parse(now), true)!.slice(0, 2)).toEqual([
    `closed: figures stand at the close of ${last}`,
    `and move again from ${next}, 09:30 New York.`
  ])
})

test('while the market is open nothing is said about it', () => {
  expect(closedNote(Date.parse('2026-11-23T15:00:00Z'), true)).toBeUndefined()
})

test('the banner names the source of bars where it is another, with the terms of both', () => {
  const desk = plainConnector('desk')
  const text = banner(combine({ chains: desk, bars: plainConnector('quiver'), prints: desk }))
  expect(text).toContain(
    [
      '  data source    desk, bars quiver',
      '  terms, chains  Terms of desk.',
      '  terms, bars    Terms of quiver.',
      '  market moment  '
    ].join('\n')
  )
})

test('the banner says that the source does not answer, and why', () => {
  const text = banner(plainConnector('desk'), { silence: 'desk cannot be reached: connect ECONNREFUSED' })
  expect(text).toContain(
    '\n  data source    desk\n                 it does not answer: desk cannot be reached: connect ECONNREFUSED\n'
  )
})

test('demo keys are printed by the start that makes them, and only their file is named by later ones', () => {
  const keys = { free: 'gw_live_free', alpha: 'gw_live_alpha' }
  const first = banner(plainConnector('desk'), { demoKeys: { keys, areNew: true } })
  expect(first).toContain('data/demo-keys.json\n    free   gw_live_free\n    alpha  gw_live_alpha\n')
  expect(first).toContain("'X-Api-Key: gw_live_alpha'")
  const later = banner(plainConnector('desk'), { demoKeys: { keys, areNew: false } })
  expect(later).toContain('  demo keys      in data/demo-keys.json\n')
  expect(later).toContain("'X-Api-Key: YOUR_KEY'")
  expect(later).not.toContain('gw_live')
})
