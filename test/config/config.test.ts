import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '../../src/api/plan.ts'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { memoryPlans } from '../../src/config/memory-plan.ts'
import { settings, variableOf } from '../../src/config/settings.ts'
import { defaultAssumptions, flatRate } from '../../src/pricing/assumptions.ts'
import { planFile } from '../api/plan-file-example.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function faultsOf(flags: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) {
  try {
    readConfig(flags, env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('without any setting the service is local, synthetic and on port 8080', () => {
  const config = readConfig({ data: folderWith({}) }, { PATH: '/bin' })
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    replayPort: 8081,
    replayFrom: '2017-01-03',
    adminPort: 8083,
    adminHost: '127.0.0.1',
    trustProxy: false,
    corsOrigin: '*',
    sources: { chains: 'synthetic', bars: 'synthetic', prints: 'synthetic' },
    connectorValues: {
      'cboe-path': undefined,
      'cboe-url': 'https://cdn.cboe.com/api/global/delayed_quotes/options',
      seed: 1
    },
    asOf: undefined,
    clock: 'wall',
    universe: undefined,
    features: [],
    logLevel: 'info',
    memory: memoryPlans.default
  })
  expect(config.workers).toBeGreaterThanOrEqual(1)
  expect(config.plans).toBe(defaultPlans)
  expect(config.assumptions).toEqual({
    ...defaultAssumptions,
    rates: flatRate(0.045),
    exercise: 'european'
  }) // as the synthetic market is made
})

test('a setting comes from its flag, else from its variable; an empty variable counts as not set', () => {
  const env = { GAMMAWALL_PORT: '9000', GAMMAWALL_LOG_LEVEL: 'debug', GAMMAWALL_HOST: '' }
  const config = readConfig({ port: '9100' }, env)
  expect(config).toMatchObject({ port: 9100, adminPort: 9103, logLevel: 'debug', host: '127.0.0.1' })
})

test('features are enabled by name, each once', () => {
  expect(readConfig({ enable: 'exposure-history, exposure-history' }, {}).features).toEqual(['exposure-history'])
  expect(faultsOf({ enable: 'exposure-history,teleport' })).toEqual([
    '--enable must be one or more of exposure-history; it is "exposure-history,teleport"'
  ])
})

test('the dashboard is served and opened by a link unless it is turned off, under names that are given', () => {
  const read = (flags: Record<string, string>) => {
    const { dashboard, open, allowedHosts } = readConfig(flags, {})
    return { dashboard, open, allowedHosts }
  }
  expect(read({})).toEqual({ dashboard: true, open: true, allowedHosts: [] })
  expect(read({ dashboard: 'off', open: 'off', 'allowed-hosts': 'dash.example, box' })).toEqual({
    dashboard: false,
    open: false,
    allowedHosts: ['dash.example', 'box']
  })
  for (const hosts of ['https://dash.example', 'dash.example:8080', '*', '.example', 'a,,b', 'a/b'])
    expect(() => read({ 'allowed-hosts': hosts })).toThrow('--allowed-hosts must be host names')
  expect(() => read({ dashboard: 'no' })).toThrow('--dashboard must be on or off')
})

test('every setting has a variable of its own', () => {
  const variables = Object.keys(settings).map(variableOf)
  expect(variables).toContain('GAMMAWALL_CBOE_PATH')
  expect(new Set(variables).size).toBe(variables.length)
})

test('port 0 takes any free port for both listeners', () => {
  expect(readConfig({ port: '0' }, {})).toMatchObject({ port: 0, adminPort: 0 })
})

test.each([
  ['a flat rate', { rate: '-0.01' }, { rates: flatRate(-0.01) }],
  [
    'a curve in any order',
    { rate: '365:0.041, 30:0.043' },
    {
      rates: {
        points: [
          { days: 30, rate: 0.043 },
          { days: 365, rate: 0.041 }
        ],
        between: 'rate'
      }
    }
  ],
  ['a yield for all', { 'dividend-yield': '0' }, { dividendYield: 0, dividendYields: {} }],
  [
    'yields for single symbols too',
    { 'dividend-yield': '0.01,spy:0.012,GOOG:0' },
    { dividendYield: 0.01, dividendYields: { SPY: 0.012, GOOG: 0 } }
  ],
  ['yields for single symbols alone', { 'dividend-yield': 'SPY:0.012' }, { dividendYield: 0.013 }],
  ['a source that says nothing itself', { source: 'cboe' }, { rates: undefined, exercise: undefined, exercises: {} }],
  [
    'exercise for all and for single symbols',
    { exercise: 'american, ^spx:european,brk/b:european' },
    { exercise: 'american', exercises: { SPX: 'european', 'BRK.B': 'european' } }
  ],
  ['symbols that are on a forward', { 'forward-symbols': 'vxx,USO' }, { forwardSymbols: ['VXX', 'USO'] }]
])('assumptions are read from %s', (_, flags, expected) => {
  expect(readConfig(flags, {}).assumptions).toMatchObject(expected)
})

test('the moment to stand at is New York time: a date is the close of its session, short days included', () => {
  const asOf = (text: string) => new Date(readConfig({ 'as-of': text }, {}).asOf ?? 0).toISOString()
  expect(asOf('2026-07-29')).toBe('2026-07-29T20:00:00.000Z')
  expect(asOf('2026-11-27')).toBe('2026-11-27T18:00:00.000Z')
  expect(asOf('2026-01-15T09:45')).toBe('2026-01-15T14:45:00.000Z')
  expect(asOf('2026-07-29T15:30:01')).toBe('2026-07-29T19:30:01.000Z')
})

test('the universe is a list of tickers or a file of them', () => {
  const folder = folderWith({ 'mine.txt': '# mine\nspy\r\n\nQQQ # the second\nSPY\n' })
  expect(readConfig({ universe: 'spy, BRK-B,FB,^VIX' }, {}).universe).toEqual(['SPY', 'BRK.B', 'META', 'VIX'])
  expect(readConfig({ universe: join(folder, 'mine.txt') }, {}).universe).toEqual(['SPY', 'QQQ'])
})

describe('plans', () => {
  test('come from plans.json of the data folder when it is there', () => {
    const plans = JSON.stringify(planFile().map((plan) => (plan.id === 'free' ? { ...plan, dailyLimit: 50 } : plan)))
    const data = folderWith({ 'plans.json': plans })
    expect(readConfig({ data }, {}).plans.byId('free').dailyLimit).toBe(50)
  })

  test('of a file that is broken, faulty or missing are refused by the name of the file', () => {
    const folder = folderWith({ 'plans.json': '{', 'faulty.json': '[]' })
    expect(faultsOf({ data: folder }).join()).toContain('plans.json cannot be read')
    expect(faultsOf({ plans: join(folder, 'faulty.json') })).toHaveLength(5)
    expect(faultsOf({ plans: join(folder, 'none.json') }).join()).toContain('none.json cannot be read')
  })
})

test.each([
  [{ port: '70000' }, '--port must be a whole number'],
  [{ port: '0x50' }, '--port must be a whole number'],
  [{ port: '65533' }, '--port must be at most 65532'],
  [{ port: '9000', 'admin-port': '9000' }, '--admin-port must differ'],
  [{ port: '9000', 'replay-port': '9000' }, '--replay-port must differ from --port'],
  [{ 'replay-port': '9001', 'admin-port': '9001' }, '--replay-port must differ from --admin-port'],
  [{ 'replay-port': '9001', 'stream-port': '9001' }, '--replay-port must differ from --stream-port'],
  [{ 'replay-from': '2017-1-3' }, '--replay-from must be a date yyyy-MM-dd'],
  [{ port: ['1', '2'] }, '--port is given more than once'],
  [{ host: 'a b' }, '--host must be'],
  [{ data: '' }, '--data must be'],
  [{ source: 'yahoo' }, '--source must be synthetic, cboe, tradier, massive, thetadata, alpaca or tastytrade'],
  [{ 'cboe-path': '.' }, '--cboe-path has no effect without --source cboe'],
  [{ source: 'cboe', 'cboe-path': './not/there' }, '--cboe-path must be a folder or file that exists'],
  [{ source: 'cboe', 'cboe-url': 'ftp://x' }, '--cboe-url must be an http or https address'],
  [{ 'as-of': '2026-02-30' }, '--as-of must be'],
  [{ 'as-of': '2026-07-29T15:30:00Z' }, '--as-of must be'],
  [{ clock: 'sun' }, '--clock must be'],
  [{ universe: 'SPY,,QQQ' }, '--universe must be'],
  [{ universe: 'none.txt' }, '--universe must be'],
  [{ rate: '4.5' }, '--rate must be'],
  [{ rate: '30:0.04,30:0.05' }, '--rate must be'],
  [{ rate: 'NaN' }, '--rate must be'],
  [{ 'dividend-yield': '0.01,0.02' }, '--dividend-yield must be'],
  [{ 'dividend-yield': 'SPY:0.01,spy:0.02' }, '--dividend-yield must be'],
  [{ 'dividend-yield': '__proto__:0.01' }, '--dividend-yield must be'],
  [{ exercise: 'bermudan' }, '--exercise must be'],
  [{ exercise: 'american,european' }, '--exercise must be'],
  [{ 'forward-symbols': 'A#B' }, '--forward-symbols must be'],
  [{ seed: '1.5' }, '--seed must be'],
  [{ workers: '-1' }, '--workers must be'],
  [{ 'log-level': 'loud' }, '--log-level must be'],
  [{ 'trust-proxy': 'maybe' }, '--trust-proxy must be true or false'],
  [{ 'cors-origin': 'https://a.example/path' }, '--cors-origin must be'],
  [{ 'cache-mb': '0' }, '--cache-mb must be'],
  [{ colour: 'red' }, '--colour is an unknown setting'],
  [{ constructor: 'x' }, '--constructor is an unknown setting']
])('%j is refused with one sentence about it', (flags, sentence) => {
  const faults = faultsOf(flags)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(sentence)
})

test('everything wrong with flags and variables is told at once, under the name its giver used', () => {
  const env = { GAMMAWALL_PORT: 'a', GAMMAWALL_PROT: '1', GAMMAWALL_SEED: 'b' }
  expect(faultsOf({ seed: 'c', foo: true }, env)).toEqual([
    'GAMMAWALL_PROT is an unknown setting: did you mean GAMMAWALL_PORT?',
    '--foo is an unknown setting',
    'GAMMAWALL_PORT must be a whole number from 0 to 65535; it is "a"',
    '--seed must be a whole number from 0 to 4294967295; it is "c"'
  ])
})

test('hostile text in any setting gives a config or sentences, never another error', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '\0', ':', ',', '1:', ':1', '/', '..', '🔑'))
  const flags = fc.dictionary(fc.constantFrom(...Object.keys(settings), '__proto__', 'toString'), text)
  fc.assert(fc.property(flags, (given) => Array.isArray(faultsOf(given))))
})
