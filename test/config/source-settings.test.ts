import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { ownSettings, settings, settingsWith } from '../../src/config/settings.ts'
import { referenceCapabilities } from '../../src/connectors/port/reference.ts'
import type { Setting } from '../../src/connectors/port/setting.ts'
import { references } from '../../src/connectors/reference-registry.ts'
import { connectors } from '../../src/connectors/registry.ts'
import { quiver } from '../support/declared-connector.ts'

const declared = [...connectors, quiver()]

function read(flags: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) {
  return readConfig(flags, env, declared)
}

function faultsOf(flags: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) {
  try {
    read(flags, env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('a connector that is listed', () => {
  test('has its settings in the help text, behind the choice of a source', () => {
    const names = Object.keys(settingsWith(declared))
    expect(names.slice(names.indexOf('source'), names.indexOf('capture'))).toEqual([
      'source',
      'bars',
      'prints',
      'seed',
      'cboe-path',
      'cboe-url',
      'tradier-token',
      'tradier-token-file',
      'tradier-url',
      'tradier-requests',
      'tradier-contracts',
      'tradier-stream',
      'massive-key',
      'massive-key-file',
      'massive-feed',
      'massive-quotes',
      'massive-requests',
      'massive-url',
      'massive-stream',
      'thetadata-url',
      'thetadata-plan',
      'thetadata-stream',
      'alpaca-key',
      'alpaca-key-file',
      'alpaca-secret',
      'alpaca-secret-file',
      'alpaca-feed',
      'alpaca-stocks',
      'alpaca-quotes',
      'alpaca-requests',
      'alpaca-url',
      'alpaca-trading-url',
      'alpaca-stream',
      'tastytrade-secret',
      'tastytrade-secret-file',
      'tastytrade-token',
      'tastytrade-token-file',
      'tastytrade-contracts',
      'tastytrade-url',
      'quiver-token',
      'quiver-days'
    ])
  })

  test('has flags and variables, read by its own rules', () => {
    const config = read({ source: 'cboe', bars: 'quiver', 'quiver-days': '7' }, { GAMMAWALL_QUIVER_TOKEN: 'abc' })
    expect(config.sources).toEqual({ chains: 'cboe', bars: 'quiver', prints: 'cboe' })
    expect(config.connectorValues).toMatchObject({ 'quiver-token': 'abc', 'quiver-days': 7 })
    const faults = faultsOf({ source: 'cboe', bars: 'quiver' }, { GAMMAWALL_QUIVER_DAYS: '0' })
    expect(faults).toEqual(['GAMMAWALL_QUIVER_DAYS must be a whole number from 1 to 100; it is "0"'])
  })

  test('is offered where it supplies what is asked for, and nowhere else', () => {
    expect(settingsWith(declared)['source'].help).toBe(
      'market data: synthetic, cboe, tradier, massive, thetadata, alpaca or tastytrade; of several, separated by commas, the first that answers serves'
    )
    expect(faultsOf({ bars: 'yahoo' })).toEqual([
      '--bars must be synthetic, cboe, tradier, massive, thetadata, alpaca, tastytrade or quiver; it is "yahoo"'
    ])
  })
})

describe('the source of daily bars', () => {
  test('is the source itself unless another is named', () => {
    expect(read({}).sources).toMatchObject({ chains: 'synthetic', bars: 'synthetic' })
    expect(read({ source: 'cboe' }).sources).toMatchObject({ chains: 'cboe', bars: 'cboe' })
    expect(read({ source: 'cboe', bars: 'cboe' }).sources).toMatchObject({ chains: 'cboe', bars: 'cboe' })
  })

  test('gives its settings an effect', () => {
    expect(faultsOf({ source: 'cboe', bars: 'quiver', 'quiver-token': 'abc' })).toEqual([])
  })
})

describe('the source of prints', () => {
  const key = { GAMMAWALL_MASSIVE_KEY: 'k-123' }

  test('is the source itself unless another is named, whether or not that has any', () => {
    expect(read({}).sources.prints).toBe('synthetic')
    expect(read({ source: 'cboe' }).sources.prints).toBe('cboe')
    expect(read({ source: 'cboe', prints: 'massive' }, key).sources).toEqual({
      chains: 'cboe',
      bars: 'cboe',
      prints: 'massive'
    })
    expect(faultsOf({ source: 'cboe', prints: 'cboe' })).toEqual([
      '--prints cannot be cboe, which provides no prints: choose synthetic, tradier, massive, thetadata, alpaca or tastytrade'
    ])
  })

  test('gives its settings an effect', () => {
    expect(faultsOf({ source: 'cboe', prints: 'massive', 'massive-quotes': '100' }, key)).toEqual([])
    expect(faultsOf({ source: 'cboe', 'massive-quotes': '100' })).toEqual([
      '--massive-quotes has no effect without --prints massive'
    ])
  })

  test('sends its key over no open line but within this machine', () => {
    const addresses = [
      'ws://example.com',
      'http://example.com',
      'wss://user:k@example.com',
      'ws://127.0.0.1.example.com'
    ]
    for (const address of addresses) {
      expect(faultsOf({ source: 'cboe', prints: 'massive', 'massive-stream': address }, key)).toHaveLength(1)
    }
    expect(faultsOf({ source: 'cboe', prints: 'massive', 'massive-url': 'http://example.com' }, key)).toHaveLength(1)
    for (const address of ['wss://example.com/x/', 'ws://127.0.0.1:9', 'ws://localhost:9', 'ws://[::1]:9']) {
      const { connectorValues } = read({ source: 'cboe', prints: 'massive', 'massive-stream': address }, key)
      expect(connectorValues['massive-stream']).toBe(address.replace(/\/$/, ''))
    }
  })
})

describe('several sources by commas', () => {
  test('are asked in their order, for bars too, and supply prints where one of them has any', () => {
    const key = { GAMMAWALL_MASSIVE_KEY: 'k-123' }
    expect(read({ source: 'tradier, cboe' }).sources).toEqual({
      chains: 'tradier,cboe',
      bars: 'tradier,cboe',
      prints: 'tradier'
    })
    expect(read({ source: 'cboe,massive', bars: 'quiver,cboe' }, key).sources).toEqual({
      chains: 'cboe,massive',
      bars: 'quiver,cboe',
      prints: 'massive'
    })
    expect(faultsOf({ source: 'tradier,cboe', 'tradier-requests': '60', 'quiver-days': '7' })).toEqual([
      '--quiver-days has no effect without --bars quiver'
    ])
  })

  test.each([
    [
      { source: 'cboe,synthetic' },
      '--source cannot name synthetic beside others: made-up figures are not mixed with real ones'
    ],
    [{ source: 'cboe', prints: 'massive,synthetic' }, '--prints takes one name: prints of two sources make no tape'],
    [
      { source: 'cboe,cboe' },
      '--source must be synthetic, cboe, tradier, massive, thetadata, alpaca or tastytrade; it is "cboe,cboe"'
    ],
    [
      { source: 'cboe,quiver' },
      '--source cannot be quiver, which provides no chains: choose synthetic, cboe, tradier, massive, thetadata, alpaca or tastytrade'
    ]
  ])('%j is refused', (flags, sentence) => {
    expect(faultsOf(flags)).toEqual([sentence])
  })
})

describe('references', () => {
  test('are none unless they are named, several by commas', () => {
    expect(read({}).references.sources).toEqual({ rates: [], macro: [], earnings: [], dividends: [] })
    const { references, assumptions, realAssumptions } = read(
      { source: 'cboe', rates: 'treasury,nyfed', macro: 'fred, cboe', earnings: 'nasdaq' },
      { GAMMAWALL_FRED_KEY: 'k-4711' }
    )
    expect(references.sources).toEqual({
      rates: ['treasury', 'nyfed'],
      macro: ['fred', 'cboe'],
      earnings: ['nasdaq'],
      dividends: []
    })
    expect(references.values).toMatchObject({ 'fred-key': 'k-4711', 'nasdaq-url': 'https://api.nasdaq.com/api' })
    expect([assumptions.publishedRates, realAssumptions.publishedRates]).toEqual([true, true])
    expect(read({ source: 'cboe', macro: 'cboe' }).assumptions.publishedRates).toBeUndefined()
  })

  test.each([
    [{ source: 'cboe', rates: 'cboe' }, '--rates must be treasury, nyfed or fred, several by commas; it is "cboe"'],
    [
      { macro: 'cboe' },
      '--macro cannot be cboe where the chains are from synthetic: real macro beside made-up chains make figures that look real and are not'
    ],
    [{ source: 'cboe', 'fred-url': 'https://x.org' }, '--fred-url has no effect without --rates fred'],
    [
      { source: 'cboe', rates: 'treasury', rate: '0.04' },
      '--rate and --rates both set the interest rate: give only one of them'
    ]
  ])('%j is refused', (flags, sentence) => {
    expect(faultsOf(flags)).toEqual([sentence])
  })
})

describe('a secret', () => {
  const secret = 'sk-live-7f3a'
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const prints = { source: 'cboe', prints: 'massive' }
  const fileWith = (text: string) => {
    const file = join(folder, 'key')
    writeFileSync(file, text)
    return file
  }

  test('comes from its variable or from a file', () => {
    expect(read(prints, { GAMMAWALL_MASSIVE_KEY: secret }).connectorValues['massive-key']).toBe(secret)
    const flags = { ...prints, 'massive-key-file': fileWith(`${secret}\n`) }
    expect(read(flags).connectorValues['massive-key']).toBe(secret)
    expect(read(prints).connectorValues['massive-key']).toBeUndefined()
  })

  test('is refused as a flag, and where it cannot be one, without being shown', () => {
    const problems = [
      ...faultsOf({ ...prints, 'massive-key': secret }),
      ...faultsOf(prints, { GAMMAWALL_MASSIVE_KEY: `${secret} and more` }),
      ...faultsOf({ ...prints, 'massive-key-file': fileWith(`${secret}\n${secret}`) }),
      ...faultsOf({ ...prints, 'massive-key-file': fileWith(secret) }, { GAMMAWALL_MASSIVE_KEY: secret }),
      ...faultsOf({ ...prints, 'massive-key-file': folder })
    ]
    expect(problems).toEqual([
      '--massive-key is not taken from the command line, which others on this machine can read: put it into GAMMAWALL_MASSIVE_KEY, or name its file with --massive-key-file',
      'GAMMAWALL_MASSIVE_KEY must be the key as Massive shows it: one word of printable characters',
      'what is in the file of --massive-key-file must be the key as Massive shows it: one word of printable characters',
      '--massive-key-file and GAMMAWALL_MASSIVE_KEY are both given: choose one of them',
      `--massive-key-file must be a file that can be read; it is ${JSON.stringify(folder)}`
    ])
    expect(problems.join()).not.toContain(secret)
  })

  test('of a source that is not used may stay in the environment; its file is named for nothing', () => {
    expect(faultsOf({ source: 'cboe' }, { GAMMAWALL_MASSIVE_KEY: secret })).toEqual([])
    expect(faultsOf({ source: 'cboe', 'massive-key-file': fileWith(secret) })).toEqual([
      '--massive-key-file has no effect without --prints massive'
    ])
  })
})

describe('one sentence refuses', () => {
  const madeUp = 'made-up bars under real chains make figures that look real and are not'
  const madeUpPrints = 'made-up prints under real chains make figures that look real and are not'
  const real = 'real bars under made-up chains make figures that look real and are not'
  test.each([
    [
      { source: 'quiver' },
      '--source cannot be quiver, which provides no chains: choose synthetic, cboe, tradier, massive, thetadata, alpaca or tastytrade'
    ],
    [{ source: 'cboe', bars: 'synthetic' }, `--bars cannot be synthetic where the chains are from cboe: ${madeUp}`],
    [{ bars: 'cboe' }, `--bars cannot be cboe where the chains are from synthetic: ${real}`],
    [
      { source: 'cboe', prints: 'synthetic' },
      `--prints cannot be synthetic where the chains are from cboe: ${madeUpPrints}`
    ],
    [{ source: 'cboe', 'quiver-token': 'abc' }, '--quiver-token has no effect without --bars quiver'],
    [
      { source: 'crystal-ball', 'cboe-path': '.' },
      '--source must be synthetic, cboe, tradier, massive, thetadata, alpaca or tastytrade; it is "crystal-ball"'
    ]
  ])('%j', (flags, sentence) => {
    expect(faultsOf(flags)).toEqual([sentence])
  })

  test('a source that is named by a variable, under its name', () => {
    expect(faultsOf({ source: 'cboe' }, { GAMMAWALL_BARS: 'synthetic' })).toEqual([
      `GAMMAWALL_BARS cannot be synthetic where the chains are from cboe: ${madeUp}`
    ])
  })
})

test('a reference reads the account of the connector of its name, which may be given for it alone', () => {
  const env = { GAMMAWALL_MASSIVE_KEY: 'sk-4711' }
  const { references } = read({ source: 'cboe', dividends: 'massive', 'massive-url': 'https://a.example' }, env)
  expect(references.sources.dividends).toEqual(['massive'])
  expect(references.values).toMatchObject({ 'massive-key': 'sk-4711', 'massive-url': 'https://a.example' })
  expect(faultsOf({ source: 'cboe', 'massive-url': 'https://a.example' })).toEqual([
    '--massive-url has no effect without --prints massive'
  ])
})

test('a setting that commands read too may be given whatever the source is', () => {
  expect(read({ source: 'cboe', seed: '9' }).connectorValues.seed).toBe(9)
})

test('no two connectors have a setting of one name, and none has the name of a setting of the service', () => {
  const declared = [...connectors, ...references]
  const ofConnectors = declared.flatMap(({ settings }) => Object.keys(settings))
  const secrets = declared.flatMap(({ settings }) =>
    Object.entries<Setting>(settings).filter(([, { secret }]) => secret)
  )
  const files = secrets.map(([name]) => `${name}-file`)
  const all = [
    ...Object.keys(ownSettings),
    ...['source', 'bars', 'prints', ...referenceCapabilities],
    ...files,
    ...ofConnectors
  ]
  expect(new Set(all).size).toBe(all.length)
  expect(Object.keys(settings).sort()).toEqual(all.sort())
})
