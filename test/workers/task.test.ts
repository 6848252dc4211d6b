import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError, apiError } from '../../src/api/error.ts'
import type { Connector } from '../../src/connectors/port/connector.ts'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { inlineEngine } from '../../src/workers/inline.ts'
import { deserializeError, serializeError } from '../../src/workers/serialized-error.ts'
import { madeUpAssumptions } from '../support/made-up.ts'
import { scriptedSource, wednesday } from '../support/scripted-source.ts'

const symbol = 'AAPL' as Ticker
const engineOver = (connector: Connector) =>
  inlineEngine({ connector, assumptions: madeUpAssumptions, endpoints: new Map() })

afterEach(() => {
  vi.useRealTimers()
})

describe('a source that says nothing', () => {
  test.each([true, false])('is waited for 20 seconds, whether it heeds the signal (%s) or not', async (heeds) => {
    vi.useFakeTimers()
    let aborted = false
    const silent = (signal: AbortSignal) =>
      new Promise<undefined>((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true
          if (heeds) reject(signal.reason)
        })
      })
    const engine = engineOver({
      ...scriptedSource(),
      chain: (_symbol, _now, signal) => silent(signal),
      closingChain: (_symbol, _session, signal) => silent(signal),
      dailyBars: async (_symbol, _now, signal) => (await silent(signal)) ?? []
    })
    const close = engine.run('loadClosingChain', { symbol: symbol, session: '2026-07-28' as IsoDate })
    const asked = [
      engine.run('loadChain', { symbol: symbol, now: wednesday }),
      close,
      engine.run('loadBars', { symbol: symbol, now: wednesday })
    ]
    const settled = Promise.allSettled(asked)
    await vi.advanceTimersByTimeAsync(19_999)
    expect([engine.pending, aborted]).toEqual([3, false])
    await vi.advanceTimersByTimeAsync(1)
    const error = new SourceError('timeout', 'the source did not answer within 20 seconds')
    expect(await settled).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason: error })))
    expect([engine.pending, aborted, vi.getTimerCount()]).toEqual([0, true, 0])
  })

  test('leaves no timer behind when it does answer', async () => {
    vi.useFakeTimers()
    const engine = engineOver(scriptedSource())
    expect((await engine.run('loadChain', { symbol: symbol, now: wednesday }))?.size).toBeGreaterThan(0)
    expect(await engine.run('loadChain', { symbol: 'NOPE' as Ticker, now: wednesday })).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('an error on its way between threads', () => {
  test('of the interface keeps its code, its message and its detail', () => {
    const sent = apiError('no_match', 'no such contract', { parameter: 'strike', limit: 5, upgrade_to: null })
    const received = deserializeError(structuredClone(serializeError(sent)))
    expect(received).toBeInstanceOf(ApiError)
    expect({ ...received, message: received.message }).toEqual({ ...sent, message: 'no such contract' })
  })

  test('of a source keeps its fault and its wish to be left alone', () => {
    for (const retryAfter of [undefined, 7000]) {
      const received = deserializeError(
        structuredClone(serializeError(new SourceError('rate_limited', 'too fast', retryAfter)))
      )
      expect(received).toBeInstanceOf(SourceError)
      expect(received).toMatchObject({ fault: 'rate_limited', message: 'too fast', retryAfter })
    }
  })

  test('of our own keeps its message and its place, whatever was thrown', () => {
    const sent = new TypeError('x is undefined')
    expect(deserializeError(structuredClone(serializeError(sent)))).toMatchObject({
      message: sent.message,
      stack: sent.stack
    })
    expect(deserializeError(structuredClone(serializeError('words'))).message).toBe('words')
  })
})
