import { expect, test } from 'vitest'
import { startupBanner } from '../../src/app/startup-banner.ts'
import { combine } from '../../src/connectors/combine.ts'
import type { Connector } from '../../src/connectors/port/connector.ts'
import { plainConnector } from '../support/declared-connector.ts'

const banner = (source: Connector, silence?: string) =>
  startupBanner({
    silence,
    version: '1.2.3',
    address: 'http://127.0.0.1:8080',
    replay: 'http://127.0.0.1:8081',
    stream: 'http://127.0.0.1:8082',
    operations: 'http://127.0.0.1:8083',
    source,
    moment: '2026-07-29T15:00:00.000Z',
    data: './data',
    demoKeys: undefined,
    example: 'SPY'
  })

test('the banner names the one source there is', () => {
  const text = banner(plainConnector('desk'))
  expect(text).toContain('\n  data source    desk\n  market moment  ')
  expect(text).not.toContain('Terms of')
})

test('the banner names the source of bars where it is another, with the terms of both', () => {
  const text = banner(combine({ chains: plainConnector('desk'), bars: plainConnector('quiver') }))
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
  const text = banner(plainConnector('desk'), 'desk cannot be reached: connect ECONNREFUSED')
  expect(text).toContain(
    '\n  data source    desk\n                 it does not answer: desk cannot be reached: connect ECONNREFUSED\n'
  )
})
