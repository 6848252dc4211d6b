import { expect, test } from 'vitest'
import { logSource } from '../../src/app/source-log.ts'
import { SourceError } from '../../src/connectors/port/source-error.ts'
import { SourceState } from '../../src/live/chains/source-state.ts'
import { MarketEventBus } from '../../src/live/market-events.ts'
import type { Ticker } from '../../src/market/units.ts'
import { clockAt, wednesday } from '../support/scripted-source.ts'

function listening() {
  const clock = clockAt(wednesday)
  const events = new MarketEventBus()
  const lines: { readonly symbol: string; readonly reason?: string; readonly alike?: number }[] = []
  const note = (fields: object) => void lines.push(fields as (typeof lines)[number])
  const log = { info: note, warn: note } as unknown as Parameters<typeof logSource>[0]['log']
  logSource({ events, log, wallNow: clock.now, steadyNow: clock.now, isStopping: () => false })
  const state = new SourceState(events, clock.now)
  const fail = (symbol: string, message: string) =>
    events.emit('sourceFailed', {
      symbol: symbol as Ticker,
      seconds: 0,
      error: new SourceError('unavailable', message)
    })
  const answer = (symbol: string) =>
    events.emit('sourceAnswered', { symbol: symbol as Ticker, seconds: 0, known: true })
  const refuse = (symbol: string, message: string) =>
    events.emit('payloadRefused', {
      symbol: symbol as Ticker,
      seconds: 0,
      reason: 'malformed',
      message,
      payload: undefined
    })
  return { clock, events, lines, state, fail, answer, refuse }
}

const unreachable = 'Cboe cannot be reached: connect ECONNREFUSED 127.0.0.1:9'

test('an unreachable feed logs one line and one a minute, however many symbols fail', () => {
  const { clock, lines, fail, state } = listening()
  for (let k = 0; k < 335; k++) fail(`S${k % 67}`, unreachable)
  fail('C', unreachable) // a letter of the sentence
  expect(lines).toEqual([{ symbol: 'S0', seconds: 0, reason: unreachable }])
  for (let second = 0; second < 180; second++) {
    clock.pass(1000)
    fail(`S${second % 67}`, unreachable)
  }
  expect(lines.map(({ alike }) => alike)).toEqual([undefined, 394, 59, 59])
  expect(state.silence).toEqual({ since: wednesday, reason: unreachable })
})

test('a symbol that fails while others are answered is named, once a minute', () => {
  const { clock, lines, fail, answer, state } = listening()
  for (let k = 0; k < 60; k++) {
    fail('SPY', unreachable)
    answer('KO')
    fail('QQQ', unreachable)
    answer('KO')
    clock.pass(500)
  }
  expect(lines.map(({ symbol }) => symbol)).toEqual(['SPY', 'QQQ'])
  expect(state.silence).toBeUndefined()
})

test('what is refused is logged once a minute by what is wrong with it, and counted every time', () => {
  const { clock, lines, refuse, state } = listening()
  for (let k = 0; k < 30; k++) {
    refuse('SPY', `what the source says of SPY is not believed: it lists ${k} of the 4,000 live contracts`)
    refuse('SPY', 'the Cboe payload cannot be used: it is not JSON, or not all of it')
    clock.pass(1000)
  }
  expect(lines).toHaveLength(2)
  expect(state.refusals).toEqual({ malformed: 60 })
  clock.pass(60_000)
  refuse('QQQ', 'what the source says of QQQ is not believed: it lists 1 of the 4,000 live contracts')
  expect(lines.at(-1)).toMatchObject({ symbol: 'QQQ', alike: 29 })
})

test('a source is silent from its first failure until anything comes, and not for one symbol of several', async () => {
  const { clock, fail, answer, refuse, state } = listening()
  expect(state.silence).toBeUndefined()
  fail('SPY', unreachable)
  await state.firstOutcome
  expect(state.silence?.reason).toBe(unreachable)
  answer('SPY')
  clock.pass(1000)
  for (let k = 0; k < 5; k++) fail('SPY', unreachable)
  expect(state.silence).toBeUndefined()
  fail('QQQ', unreachable)
  expect(state.silence?.since).toBe(clock.at)
  refuse('KO', 'it lists nothing')
  expect(state.silence).toBeUndefined()
})
