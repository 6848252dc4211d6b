import { describe, expect, test } from 'vitest'
import { sharedChains } from '../../src/app/source-choice.ts'
import { readConfig } from '../../src/config/config.ts'

const all = {
  roles: 'serve',
  shared: 'redis://127.0.0.1:6379',
  accounts: 'postgres://u@127.0.0.1/gammawall',
  history: 'http://127.0.0.1:8123'
}
const member = (flags: Readonly<Record<string, string>>) => readConfig(flags, {}).member

describe('the roles of a member', () => {
  test('are everything, and nothing is shared, unless some are named', () => {
    expect(member({})).toEqual({ shared: undefined, collects: true, serves: true, problems: [] })
    expect(member({ roles: 'all' })).toEqual(member({}))
  })

  test.each([
    ['serve', { collects: false, serves: true }],
    ['collect', { collects: true, serves: false }],
    ['collect, serve', { collects: true, serves: true }]
  ])('%s', (roles, expected) => {
    expect(member({ ...all, roles })).toEqual({ shared: all.shared, ...expected, problems: [] })
    expect(member({ ...all, roles, history: 'off' })).toEqual({ shared: all.shared, ...expected, problems: [] })
  })

  test.each([
    [{ ...all, shared: '' }, '--roles needs --shared, the server over which members share chains'],
    [{ ...all, accounts: '' }, '--roles needs --accounts, the server of the accounts of all members'],
    [
      { ...all, history: 'embedded' },
      '--roles needs --history, the address of a ClickHouse server that all members read, or off'
    ],
    [{ ...all, roles: 'all' }, '--shared has no effect without --roles: say collect, serve or both'],
    [{ ...all, roles: 'lead' }, '--roles must be all, collect, serve or collect,serve'],
    [{ ...all, shared: 'http://127.0.0.1' }, '--shared must be the address of a Redis server, redis://host:port']
  ])('are refused where something is missing or wrong: %o', (flags, problem) => {
    const given = Object.fromEntries(Object.entries(flags).filter(([, text]) => text !== ''))
    expect(() => sharedChains(readConfig(given, {}))).toThrow(problem)
  })

  test('are no matter of commands that start no service, whose environment may name the servers', () => {
    const env = { GAMMAWALL_SHARED: all.shared, GAMMAWALL_ACCOUNTS: all.accounts }
    expect(readConfig({}, env).accounts).toBe(all.accounts)
    expect(readConfig({}, { ...env, GAMMAWALL_ROLES: 'serve' }).accounts).toBe(all.accounts)
    expect(() => sharedChains(readConfig({}, env))).toThrow('--shared has no effect without --roles')
  })

  test('need no key of a vendor to serve', async () => {
    const { sourceSettings } = await import('../../src/app/source-choice.ts')
    const flags = { ...all, source: 'tradier' }
    expect(sourceSettings(readConfig(flags, {})).sources.chains).toBe('tradier')
    expect(() => sourceSettings(readConfig({ ...flags, roles: 'collect' }, {}))).toThrow('tradier needs a token')
  })
})
