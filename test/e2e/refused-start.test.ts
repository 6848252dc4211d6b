import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { gammawall, launch, program, type Service, startService, temporaryFolder } from '../support/started-service.ts'

// Output of a start that cannot succeed: one sentence that names what to change, and exit code 1.

const folder = temporaryFolder()
const data = join(folder, 'data')
let service: Service

beforeAll(async () => {
  service = await startService(join(folder, 'first'), ['--universe', 'SPY', '--workers', '1'])
  mkdirSync(join(folder, 'empty'))
  mkdirSync(join(folder, 'notes'))
  writeFileSync(join(folder, 'notes', 'readme.json'), '{"not": "a payload"}')
  writeFileSync(join(folder, 'cut.json'), '{"plans": [')
  writeFileSync(join(folder, 'file'), '')
})

async function sentence(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const flags = [program, 'serve', '--data', data, '--port', '0', ...args]
  const { code, stdout, stderr } = await launch(process.execPath, flags, { env }).ended
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^[^\n]+\n$/)
  return stderr.trimEnd()
}

test('a busy port, that of the metrics too', async () => {
  const busy = Number(new URL(service.base).port)
  const { code, stdout, stderr } = await gammawall('serve', '--data', data, '--port', `${busy}`, '--admin-port', '0')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(`port ${busy} of 127.0.0.1 is in use: stop the other program or choose another port\n`)
  // If several ports are in use, the first is named: the one of the REST interface, which most readers know.
  const both = ['--port', `${busy}`, '--replay-port', new URL(service.replay).port]
  const taken = await gammawall('serve', '--data', data, ...both)
  expect(taken.stderr).toContain(`port ${busy} of 127.0.0.1 is in use`)
  const metrics = new URL(service.operations).port
  expect(await sentence(['--admin-port', metrics])).toBe(
    `port ${metrics} of 127.0.0.1 is in use: stop the other program or choose another port`
  )
})

test.each([
  ['with its archive', []],
  ['without an archive', ['--history', 'off']]
])('a second service on the data folder of a running one, %s: the running one is named', async (_, flags) => {
  const { code, stdout, stderr } = await gammawall('serve', '--data', service.data, '--port', '0', ...flags)
  const { since } = JSON.parse(readFileSync(join(service.data, 'service.json'), 'utf8'))
  expect(Date.parse(since)).toBeLessThan(Date.now())
  const owner = `the data folder ${service.data} belongs to the service of process ${service.child.pid}`
  const advice = 'stop that one first, or choose another folder with --data'
  expect([code, stdout, stderr]).toEqual([1, '', `${owner} at ${service.base}, running since ${since}: ${advice}\n`])
  expect((await service.ask('/v1/account', service.keys.growth)).status).toBe(200)
  expect((await gammawall('users', 'list', '--data', service.data)).code).toBe(0)
})

test('a second service without an archive is refused by a first one without one, and starts once that was killed', async () => {
  const data = join(folder, 'shared')
  const bare = ['--universe', 'SPY', '--workers', '1', '--history', 'off']
  const first = await startService(data, bare)
  const second = await gammawall('serve', '--data', data, '--port', '0', ...bare)
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringContaining(`the service of process ${first.child.pid}`)
  ])
  await first.stop('SIGKILL')
  const third = await startService(data, bare)
  expect(third.keys).toEqual(first.keys)
  expect((await third.stop()).code).toBe(0)
})

test('a data folder that cannot be written', async () => {
  const below = join(folder, 'file', 'data')
  const { code, stdout, stderr } = await gammawall('serve', '--data', below, '--port', '0')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(`the data folder ${below} cannot be written (ENOTDIR): choose another one with --data\n`)
})

test.each([
  [['--colour', 'red'], '--colour is an unknown setting'],
  [['--workers', 'many'], '--workers must be a whole number from 0 to 256; it is "many"'],
  [
    ['--source', 'crystal-ball'],
    '--source must be synthetic, cboe, tradier, massive, thetadata, alpaca or tastytrade; it is "crystal-ball"'
  ],
  [['--source', 'tradier'], 'tradier needs a token: put it into GAMMAWALL_TRADIER_TOKEN'],
  [['--source', 'tastytrade'], 'tastytrade needs a client secret: put it into GAMMAWALL_TASTYTRADE_SECRET'],
  [['--source', 'alpaca'], 'alpaca needs a key ID: put it into GAMMAWALL_ALPACA_KEY'],
  [['--source', 'massive'], 'massive needs a key: put it into GAMMAWALL_MASSIVE_KEY'],
  [['--source', 'cboe,tradier'], 'tradier needs a token: put it into GAMMAWALL_TRADIER_TOKEN'],
  [['--source', 'cboe', '--dividends', 'massive'], 'massive needs a key: put it into GAMMAWALL_MASSIVE_KEY'],
  [['--source', 'cboe', '--macro', 'fred'], 'fred needs a key: put it into GAMMAWALL_FRED_KEY'],
  [['--source', 'cboe', '--macro', 'treasury', '--history', 'off'], '--macro needs history, in which it is kept'],
  [['--capture', join(folder, 'file')], `raw answers cannot be kept in ${join(folder, 'file')}`],
  [['--seed'], '--seed needs a value'],
  [['--as-of', '2026-02-30'], '--as-of must be a date'],
  [['--cboe-path', '.'], '--cboe-path has no effect without --source cboe'],
  [['--source', 'cboe', '--as-of', '2026-07-29'], '--as-of needs recorded data'],
  [['--source', 'cboe', '--cboe-path', 'no/such/folder'], '--cboe-path must be a folder or file that exists'],
  [['--source', 'cboe', '--cboe-path', join(folder, 'empty')], `no recorded payload can be read at ${folder}`],
  [['--source', 'cboe', '--cboe-path', join(folder, 'notes')], 'readme.json: the Cboe payload cannot be used'],
  [['--plans', join(folder, 'no-plans.json')], 'no-plans.json cannot be read: ENOENT'],
  [['--plans', join(folder, 'cut.json')], 'cut.json cannot be read: ']
])('%j: one sentence says what to change', async (args, expected) => {
  expect(await sentence(args)).toContain(expected)
})

test.each([
  ['tradier', ['--source', 'tradier']],
  ['fred', ['--source', 'cboe', '--macro', 'fred']]
])('%s without its key leaves no data folder behind', async (name, flags) => {
  const untouched = join(folder, `for ${name}`)
  const { code, stderr } = await gammawall('serve', '--data', untouched, '--port', '0', ...flags)
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${name} needs a `)])
  expect(existsSync(untouched)).toBe(false)
})

test('a misspelt variable', async () => {
  expect(await sentence([], { GAMMAWALL_PROT: '80' })).toBe(
    'GAMMAWALL_PROT is an unknown setting: did you mean GAMMAWALL_PORT?'
  )
})

test('everything that is wrong is told at once, a line for each', async () => {
  const { code, stderr } = await gammawall('serve', '--data', data, '--port', '80000', '--clock', 'sun', '--colour')
  expect(code).toBe(1)
  expect(stderr.trimEnd().split('\n')).toEqual([
    '--colour is an unknown setting',
    '--port must be a whole number from 0 to 65535; it is "80000"',
    '--clock must be wall or demo; it is "sun"'
  ])
})
