import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { ownSettings, settings, settingsWith } from '../../src/config/settings.ts'
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
    expect(names.slice(names.indexOf('source'), names.indexOf('as-of'))).toEqual([
      'source',
      'bars',
      'seed',
      'cboe-path',
      'cboe-url',
      'quiver-token',
      'quiver-days'
    ])
  })

  test('has flags and variables, read by its own rules', () => {
    const config = read({ source: 'cboe', bars: 'quiver', 'quiver-days': '7' }, { GAMMAWALL_QUIVER_TOKEN: 'abc' })
    expect(config.sources).toEqual({ chains: 'cboe', bars: 'quiver' })
    expect(config.connectorValues).toMatchObject({ 'quiver-token': 'abc', 'quiver-days': 7 })
    const faults = faultsOf({ source: 'cboe', bars: 'quiver' }, { GAMMAWALL_QUIVER_DAYS: '0' })
    expect(faults).toEqual(['GAMMAWALL_QUIVER_DAYS must be a whole number from 1 to 100; it is "0"'])
  })

  test('is offered where it supplies what is asked for, and nowhere else', () => {
    expect(settingsWith(declared)['source'].help).toBe('market data: synthetic or cboe')
    expect(faultsOf({ bars: 'yahoo' })).toEqual(['--bars must be synthetic, cboe or quiver; it is "yahoo"'])
  })
})

describe('the source of daily bars', () => {
  test('is the source itself unless another is named', () => {
    expect(read({}).sources).toEqual({ chains: 'synthetic', bars: 'synthetic' })
    expect(read({ source: 'cboe' }).sources).toEqual({ chains: 'cboe', bars: 'cboe' })
    expect(read({ source: 'cboe', bars: 'cboe' }).sources).toEqual({ chains: 'cboe', bars: 'cboe' })
  })

  test('gives its settings an effect', () => {
    expect(faultsOf({ source: 'cboe', bars: 'quiver', 'quiver-token': 'abc' })).toEqual([])
  })
})

describe('one sentence refuses', () => {
  const madeUp = 'made-up bars under real chains make figures that look real and are not'
  const real = 'real bars under made-up chains make figures that look real and are not'
  test.each([
    [{ source: 'quiver' }, '--source cannot be quiver, which provides no chains: choose synthetic or cboe'],
    [{ source: 'cboe', bars: 'synthetic' }, `--bars cannot be synthetic where the chains are from cboe: ${madeUp}`],
    [{ bars: 'cboe' }, `--bars cannot be cboe where the chains are from synthetic: ${real}`],
    [{ source: 'cboe', 'quiver-token': 'abc' }, '--quiver-token has no effect without --bars quiver'],
    [{ source: 'crystal-ball', 'cboe-path': '.' }, '--source must be synthetic or cboe; it is "crystal-ball"']
  ])('%j', (flags, sentence) => {
    expect(faultsOf(flags)).toEqual([sentence])
  })

  test('a source that is named by a variable, under its name', () => {
    expect(faultsOf({ source: 'cboe' }, { GAMMAWALL_BARS: 'synthetic' })).toEqual([
      `GAMMAWALL_BARS cannot be synthetic where the chains are from cboe: ${madeUp}`
    ])
  })
})

test('a setting that commands read too may be given whatever the source is', () => {
  expect(read({ source: 'cboe', seed: '9' }).connectorValues.seed).toBe(9)
})

test('no two connectors have a setting of one name, and none has the name of a setting of the service', () => {
  const ofConnectors = connectors.flatMap((connector) => Object.keys(connector.settings))
  const all = [...Object.keys(ownSettings), 'source', 'bars', ...ofConnectors]
  expect(new Set(all).size).toBe(all.length)
  expect(Object.keys(settings).sort()).toEqual(all.sort())
})
