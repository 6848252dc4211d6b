import { describe, expect, onTestFinished, test } from 'vitest'
import type { SourceSettings } from '../../src/connectors/port/declaration.ts'
import { noScans, scansOf } from '../../src/connectors/port/scans.ts'
import { sourceText } from '../../src/connectors/port/source-provenance.ts'
import { connectors, createConnector, sourceRefusal } from '../../src/connectors/registry.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'
import { cboePayload } from '../support/cboe-payload.ts'
import { type Creation, plainConnector, quiver } from '../support/declared-connector.ts'
import { payload, startSource } from '../support/source-server.ts'

const values = {
  seed: 3,
  'cboe-path': undefined,
  'cboe-url': 'http://127.0.0.1:9',
  'quiver-token': 'abc',
  'tradier-url': 'http://127.0.0.1:9',
  'tradier-contracts': 1,
  'thetadata-plan': 'pro',
  'alpaca-feed': 'indicative'
}
const from = (chains: string, bars = chains, asOf?: Instant, prints = chains): SourceSettings => ({
  sources: { chains, bars, prints },
  values,
  asOf
})

describe.each(connectors)('the declaration of $name', (declaration) => {
  test('says what the connector says once it is created', async () => {
    const connector = await createConnector(from(declaration.name))
    const { provides, synthetic, terms } = declaration
    expect(connector).toMatchObject({ provides, synthetic, terms })
    expect(connector.suppliers).toBeUndefined()
  })

  test('has a name that fits headers, flags and logs, and is plain data', () => {
    expect(declaration.name).toMatch(/^[a-z][a-z0-9-]*$/)
    const { create: _, ...data } = declaration
    expect(data.terms).not.toBe('')
    for (const { fallback, parse } of Object.values(data.settings)) {
      if (fallback !== undefined) expect(parse(fallback)).toBeDefined()
    }
  })
})

test('settings reach the connector that declares them', async () => {
  const created: Creation[] = []
  const desk = { ...quiver(created), provides: ['chains', 'bars'] as const }
  await createConnector(from('quiver', 'quiver', 1_785_355_200_000), [desk])
  expect(created).toMatchObject([{ values, capabilities: ['chains', 'bars'], asOf: 1_785_355_200_000 }])
})

test('each of two sources is created for what it is asked for', async () => {
  const created: Creation[] = []
  const source = await createConnector(from('cboe', 'quiver'), [...connectors, quiver(created)])
  expect(created).toMatchObject([{ capabilities: ['bars'] }])
  expect(sourceText(source)).toBe('cboe, bars quiver')
})

test('a source of prints alone is created for prints, and connects to nothing yet', async () => {
  const keyed = { ...values, 'massive-key': 'k', 'massive-url': 'http://127.0.0.1:9' }
  const source = await createConnector({ ...from('cboe', 'cboe', undefined, 'massive'), values: keyed })
  expect(sourceText(source)).toBe('cboe, prints massive')
  expect(source.prints).toMatchObject({ stocks: false })
  expect(sourceRefusal(from('cboe', 'cboe', undefined, 'massive'))).toMatch(/GAMMAWALL_MASSIVE_KEY/)
})

test('a refusal of any source is told as its sentence', () => {
  expect(sourceRefusal(from('cboe'))).toBeUndefined()
  expect(sourceRefusal(from('cboe', 'cboe', 1_785_355_200_000))).toMatch(/^--as-of needs recorded data/)
  const settings = { ...from('cboe', 'quiver'), values: { ...values, 'quiver-token': undefined } }
  expect(sourceRefusal(settings, [...connectors, quiver()])).toBe('quiver needs --quiver-token')
})

test('bars of the delayed quotes are there without anybody asking for their chains', async () => {
  const server = await startSource()
  onTestFinished(() => server.close())
  server.conducts.set('SPY', payload(cboePayload()))
  const desk = { ...quiver(), name: 'desk', create: async () => plainConnector('desk') }
  const settings = { ...from('desk', 'cboe'), values: { 'cboe-url': server.url } }
  const source = await createConnector(settings, [...connectors, desk])
  const now = Date.parse('2026-07-29T22:40:00Z')
  const bars = await source.dailyBars('SPY' as Ticker, now, new AbortController().signal)
  expect(bars).toMatchObject([{ date: '2026-07-29' }])
  expect(server.asked('SPY')).toHaveLength(1)
})

test('payloads of the delayed quotes are scanned and counted', async () => {
  const server = await startSource()
  onTestFinished(() => server.close())
  server.conducts.set('SPY', payload(cboePayload()))
  const scans = noScans()
  const source = await createConnector({ ...from('cboe'), values: { 'cboe-url': server.url }, scans })
  const now = Date.parse('2026-07-29T22:40:00Z')
  const chain = await source.chain('SPY' as Ticker, now, new AbortController().signal)
  expect(chain?.size).toBe(2)
  expect(scansOf(scans)).toEqual({ taken: 1, refused: 0 })
})
