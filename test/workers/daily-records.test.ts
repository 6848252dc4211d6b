import { describe, expect, test } from 'vitest'
import type { Connector } from '../../src/connectors/port/connector.ts'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { sessionsBefore } from '../support/made-up-records.ts'
import { scriptedSource, wednesday } from '../support/scripted-source.ts'

const AAPL = 'AAPL' as Ticker
const sessions = sessionsBefore('2026-07-29' as IsoDate, 6)
const engineOver = (connector: Connector) =>
  inlineEngine({ connector, assumptions: madeUpAssumptions, endpoints: new Map() })

describe('the records of past sessions', () => {
  test('are made of their closes, each once on a thread', async () => {
    const source = scriptedSource()
    const engine = engineOver(source)
    const some = await engine.run('makePastRecords', { symbol: AAPL, sessions: sessions.slice(2), now: wednesday })
    expect(some.map(({ date }) => date)).toEqual(sessions.slice(2))
    const all = await engine.run('makePastRecords', { symbol: AAPL, sessions: sessions, now: wednesday })
    expect(all.slice(2)).toEqual(some)
    expect(all[2]).toBe(some[0])
    // The evening before the first session of each run is read too, for the errors of its bands.
    expect(source.closes).toHaveLength(6 + 2)
  })

  test('leave out a day the source lacks, and one whose recording cannot be read', async () => {
    const source = scriptedSource()
    const usual = source.closingChain
    source.close = (symbol, session) => (session === sessions[1] ? undefined : source.listing(symbol))
    const engine = engineOver({
      ...source,
      closingChain: async (...asked) => {
        if (asked[1] === sessions[3]) throw new SourceError('malformed', 'no payload')
        return usual(...asked)
      }
    })
    const found = await engine.run('makePastRecords', { symbol: AAPL, sessions: sessions, now: wednesday })
    expect(found.map(({ date }) => date)).toEqual([0, 2, 4, 5].map((k) => sessions[k]))
  })

  test('are refused whole where the source does not answer', async () => {
    const source = scriptedSource()
    source.faults.set('AAPL close', new SourceError('unavailable', 'down'))
    await expect(
      engineOver(source).run('makePastRecords', { symbol: AAPL, sessions: sessions, now: wednesday })
    ).rejects.toThrow('down')
  })

  test('are none of a source without a past, which is not even asked', async () => {
    const source = scriptedSource()
    const engine = engineOver({ ...source, holdsPast: false })
    expect(await engine.run('makePastRecords', { symbol: AAPL, sessions: sessions, now: wednesday })).toEqual([])
    expect(source.closes).toEqual([])
  })

  test('let other tasks in between, however many there are', async () => {
    const source = scriptedSource()
    const usual = source.closingChain
    const slow: Connector = {
      ...source,
      closingChain: (...asked) => {
        const until = performance.now() + 30
        while (performance.now() < until); // a large chain that keeps the thread busy
        return usual(...asked)
      }
    }
    const engine = engineOver(slow)
    const done: string[] = []
    const year = engine
      .run('makePastRecords', { symbol: AAPL, sessions: sessions, now: wednesday })
      .then(() => done.push('records'))
    await new Promise((resolve) => setImmediate(resolve))
    await engine.run('loadChain', { symbol: 'KO' as Ticker, now: wednesday }).then(() => done.push('load'))
    await year
    expect(done).toEqual(['load', 'records'])
  })
})
