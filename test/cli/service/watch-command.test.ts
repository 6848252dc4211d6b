import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newKey } from '../../../src/accounts/key.ts'
import type { Update } from '../../../src/api/stream-frames.ts'
import { main } from '../../../src/cli/main.ts'
import { keyFor } from '../../../src/cli/service/service-client.ts'
import { listMetrics } from '../../../src/cli/service/watch-catalog.ts'
import { watchSession } from '../../../src/cli/service/watch-session.ts'
import { type WatchedRow, watchLines } from '../../../src/cli/service/watch-table.ts'
import { ageOf, changeOf, formattedValue } from '../../../src/cli/service/watch-values.ts'
import { Stream } from '../../../src/client/stream.ts'
import { socketTo } from '../../client/in-memory.ts'
import { ScriptedServer } from '../../client/scripted-server.ts'
import { shownBy } from '../terminal-screen.ts'

const gex = 'exposure.gex.net_gex'
const pain = 'maxpain.current.max_pain_strike'

/** A watch over a scripted server, and what it wrote. */
function watching(metrics: readonly string[], screen?: { columns: number; lines: number }) {
  const server = new ScriptedServer()
  const signals = new EventEmitter()
  const written = { out: [] as string[], err: [] as string[], screen: '' }
  const write = (text: string) => (written.screen += text)
  let leave = () => {}
  const left = new Promise<void>((resolve) => (leave = resolve))
  const terminal = {
    out: (line: string) => written.out.push(line),
    err: (line: string) => written.err.push(line),
    env: {},
    left,
    screen: screen && { ...screen, write }
  }
  const place = { url: 'ws://test', WebSocket: socketTo(server, { answers: true }), ticket: async () => 't' }
  const client = { stream: (options: object) => new Stream({ ...place, random: () => 1 }, options) }
  const wanted = { symbol: 'SPY', metrics, cadence: 250, address: 'ws://test' }
  const ended = watchSession(client, wanted, terminal, signals)
  return { server, signals, written, ended, leave }
}

const settled = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds)
beforeEach(() => void vi.useFakeTimers({ now: 1_778_603_402_000 }))
afterEach(() => void vi.useRealTimers())

describe('into a pipe', () => {
  test('every change is a line with its moment, symbol, metric and value, and Ctrl-C ends it', async () => {
    const { server, signals, written, ended } = watching([gex, pain])
    await settled()
    expect(server.last.commands[0]).toMatchObject({ items: [{ cadence_ms: 250 }, { symbol: 'SPY' }] })
    server.last.update(1, 1.5e9)
    server.last.update(2, 1.5e9)
    server.last.update(3, null)
    server.last.update(1, 600, { sub_id: 's_2' })
    expect(written.out).toEqual([
      `2026-05-12T16:30:00.001Z SPY ${gex} 1500000000`,
      `2026-05-12T16:30:00.003Z SPY ${gex} null`,
      `2026-05-12T16:30:00.001Z SPY ${pain} 600`
    ])
    signals.emit('SIGINT')
    await ended
    expect([written.err, signals.eventNames()]).toEqual([[], []])
  })

  test('it ends once its reader has had enough', async () => {
    const { signals, written, ended, leave } = watching([gex])
    await settled()
    leave()
    await ended
    expect([written.err, signals.eventNames()]).toEqual([[], []])
  })

  test('a metric that does not exist is told with those that do, and the others go on', async () => {
    const { server, signals, written, ended } = watching(['exposure.gex.wrong', gex])
    await settled()
    server.last.update(1, 5)
    expect(written.out).toHaveLength(1)
    expect(written.err).toEqual([
      'exposure.gex.wrong: several metrics have it; did you mean exposure.gex.net_gex, exposure.dex.net_dex'
    ])
    signals.emit('SIGTERM')
    await ended
  })

  test('a metric with a slip in its name is told with the names that the catalog has for it', async () => {
    const { written, ended } = watching(['exposure.unknown.net_gx'])
    const failed = expect(ended).rejects.toThrow('none of these')
    await settled()
    await failed
    expect(written.err).toEqual(['exposure.unknown.net_gx: no such metric; did you mean exposure.unknown.net_gex'])
  })

  test('it ends when no metric is left, and when the server ends it', async () => {
    const refused = watching(['exposure.gex.wrong'])
    const failed = expect(refused.ended).rejects.toThrow('none of these can be watched')
    await settled()
    await failed
    const revoked = watching([gex])
    const rejected = expect(revoked.ended).rejects.toThrow('the key was revoked')
    await settled()
    revoked.server.last.end(4401)
    await rejected
  })

  test('a lost connection is told, and what comes after it goes on', async () => {
    const { server, signals, written, ended } = watching([gex])
    await settled()
    server.last.update(1, 1)
    server.last.end()
    await settled(500)
    server.last.update(2, 2)
    expect(written.out).toHaveLength(2)
    expect(written.err).toEqual(['the connection was closed (1006); next attempt in 0.5 s'])
    signals.emit('SIGINT')
    await ended
  })
})

describe('on a terminal', () => {
  test('one row for each metric is rewritten in place', async () => {
    const { server, signals, written, ended } = watching([gex, 'exposure.gex.wrong'], { columns: 100, lines: 24 })
    await settled(60)
    server.last.update(1, 1.5e9)
    await settled(60)
    server.last.update(2, 1.75e9)
    await settled(60)
    const lines = shownBy(written.screen)
    expect(lines[0]).toBe('SPY  ws://test  connected  as of 2026-05-12T16:30:00.002Z, 2 s old')
    expect(lines[2]).toMatch(/^METRIC +VALUE +CHANGE +AGE$/)
    expect(lines[3]).toMatch(/^exposure\.gex\.net_gex +\$1\.75 billion +\+\$250 million +2 s$/)
    expect(lines[4]).toMatch(/^exposure\.gex\.wrong +refused$/)
    expect(lines[6]).toMatch(/^exposure\.gex\.wrong: several metrics have it; did you mean/)
    expect(lines).toHaveLength(7)
    await settled(3000)
    expect(shownBy(written.screen)[3]).toMatch(/ [45] s$/)
    signals.emit('SIGINT')
    await ended
    expect(written.screen.endsWith('\x1b[?25h')).toBe(true)
    expect(written.out).toEqual([])
    expect(shownBy(written.screen)).toHaveLength(7)
  })

  test('nothing is wider or higher than it', () => {
    const row: WatchedRow = {
      metric: 'm'.repeat(60),
      unit: null,
      first: undefined,
      latest: undefined,
      problem: undefined
    }
    const state = { symbol: 'SPY', address: 'ws://x', rows: Array.from({ length: 50 }, () => row), connection: 'open' }
    const lines = watchLines(state, 0, { columns: 40, lines: 10 })
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(40)
    expect([lines.length, lines.at(-1)]).toEqual([9, '... and 45 more'])
  })

  test('the age is that of the data: two days after a close it says so, however fresh the frame', async () => {
    const { server, signals, written, ended } = watching([gex], { columns: 120, lines: 24 })
    await settled()
    server.last.update(1, 1.5e9, { stale: true, ts: Date.now() - 172_800_000 })
    await settled(60)
    const lines = shownBy(written.screen)
    expect(lines[0]).toMatch(/as of 2026-05-10T16:30:02\.\d{3}Z, 2 d old$/)
    expect(lines[3]).toMatch(/ 2 d stale$/)
    signals.emit('SIGINT')
    await ended
  })

  test('an object is drawn as rows, a part on each, with its unit and its change', async () => {
    const metric = 'exposure.summary.hedging_estimate'
    const value = (notional: number) => ({ spot_up_1pct: { direction: 'SELL', notional_usd: notional }, none: [] })
    const { server, signals, written, ended } = watching([metric], { columns: 120, lines: 24 })
    await settled(60)
    server.last.update(1, value(1.5e9))
    await settled(60)
    server.last.update(2, value(2e9))
    await settled(60)
    const lines = shownBy(written.screen).slice(3)
    expect(lines[0]).toMatch(/^exposure\.summary\.hedging_estimate +2 s$/)
    expect(lines[1]).toMatch(/^ {2}\.spot_up_1pct\.direction +SELL$/)
    expect(lines[2]).toMatch(/^ {2}\.spot_up_1pct\.notional_usd +2000000000 +\+500000000$/)
    expect(lines[3]).toMatch(/^ {2}\.none +none$/)
    signals.emit('SIGINT')
    await ended
  })

  test('a list is drawn row by row under the keys of its rows, a long one not to its end', () => {
    const value = Array.from({ length: 50 }, (_, k) => ({ strike: 600 + k, net_gex: 1e9 + k }))
    const latest: Update = { type: 'update', sub_id: 's', seq: 1, ts: 0, value }
    const units = new Map([['[*].net_gex', 'usd']])
    const row: WatchedRow = { metric: 'm', unit: null, units, first: latest, latest, problem: undefined }
    const state = { symbol: 'SPY', address: 'ws://x', rows: [row], connection: 'open' }
    const lines = watchLines(state, 0, { columns: 80, lines: 200 })
    expect(lines[5]).toMatch(/^ {2}\[600\]\.net_gex +\$1 billion$/)
    expect(lines.at(-1)).toMatch(/and 10 more$/)
  })

  test('a text of the server cannot move the cursor', () => {
    const latest: Update = { type: 'update', sub_id: 's', seq: 1, ts: 0, value: 'a\x1b[2Jb' }
    const row: WatchedRow = { metric: 'm', unit: null, first: latest, latest, problem: undefined }
    const state = { symbol: 'SPY', address: 'ws://x', rows: [row], connection: 'open' }
    expect(watchLines(state, 0, { columns: 80, lines: 24 })[3]).toMatch(/^m +a\?\[2Jb +0 s$/)
  })
})

test('without a metric those there are are listed', async () => {
  const server = new ScriptedServer()
  const place = { url: 'ws://test', WebSocket: socketTo(server, { answers: true }), ticket: async () => 't' }
  const client = { stream: (options: object = {}) => new Stream({ ...place, random: () => 1 }, options) }
  const [out, err] = [[] as string[], [] as string[]]
  const listed = listMetrics(client, 'SPY', { out: (line) => out.push(line), err: (line) => err.push(line) })
  await settled(60)
  await listed
  expect(out.join('\n')).toMatch(/^METRIC +TYPE +UNIT +SHORT\n\S+ +number +usd-notional$/)
  expect(err[0]).toMatch(/^1 metrics; name those to watch: gammawall watch SPY /)
})

test.each([
  [1_842_000_000, 'usd-notional', '$1.84 billion'],
  [-320_000_000, 'usd', '-$320 million'],
  [631.58, 'price', '631.58'],
  [18.39251, 'percent', '18.39%'],
  [3_410_658, 'shares', '3,410,658'],
  [0.183421, 'fraction', '0.183421'],
  ['positive_gamma', null, 'positive_gamma'],
  [true, null, 'true'],
  [null, 'price', '-'],
  [{ a: 1 }, null, '{"a":1}']
])('%j in %s is shown as %s', (value, unit, shown) => {
  expect(formattedValue(value, unit)).toBe(shown)
})

test('a change has its sign and its unit, and none is shown where nothing moved or nothing can be subtracted', () => {
  expect(changeOf(631.6, 631.5, 'price')).toBe('+0.1')
  expect(changeOf(-2e9, 1e9, 'usd')).toBe('-$3 billion')
  expect([changeOf(5, 5, 'usd'), changeOf(null, 5, 'usd'), changeOf('a', 'b', null)]).toEqual(['', '', ''])
})

test('ages are told in the largest unit that says enough', () => {
  const ages = [-5000, 999, 59_999, 60_000, 3_600_000, 172_800_000].map(ageOf)
  expect(ages).toEqual(['0 s', '0 s', '59 s', '1 min', '1 h', '2 d'])
})

describe('the key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gammawall-test-'))

  test('is the one that is given, then that of the environment, then a demo key that may stream', () => {
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [alpha, enterprise] = [newKey(), newKey()]
    writeFileSync(join(folder, 'demo-keys.json'), JSON.stringify({ free: newKey(), alpha, enterprise }))
    expect(keyFor('given', { GAMMAWALL_KEY: 'variable' }, folder)).toBe('given')
    expect(keyFor(undefined, { GAMMAWALL_KEY: 'variable' }, folder)).toBe('variable')
    expect(keyFor(undefined, { GAMMAWALL_KEY: '' }, folder)).toBe(alpha)
    expect(keyFor(undefined, { GAMMAWALL_KEY: '' }, folder, ['enterprise'])).toBe(enterprise)
  })

  test('is asked for where there is none', () => {
    expect(() => keyFor(undefined, {}, '/nowhere')).toThrow('give a key with --key or GAMMAWALL_KEY')
  })
})

test.each([
  ['watch', 'watch needs <symbol>'],
  [`watch SPY ${gex} --cadence often`, '--cadence must be a whole number of milliseconds'],
  [`watch SPY ${gex} --key x --url nowhere`, '--url and --stream-url must be http or https addresses'],
  [`watch SPY ${gex} --data /nowhere`, 'give a key with --key']
])('"%s" fails with a sentence', async (line, sentence) => {
  vi.useRealTimers()
  const err: string[] = []
  const code = await main(line.split(' '), { out: () => {}, err: (text) => err.push(text), env: {} })
  expect([code, err.join('\n')]).toEqual([1, expect.stringContaining(sentence)])
})
