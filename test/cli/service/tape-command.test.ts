import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { isShown, NewPrints, type TapeFilter, type TapePrint, tapeLine } from '../../../src/cli/service/tape-prints.ts'
import { MAX_PRINTS, tapeSession } from '../../../src/cli/service/tape-session.ts'
import { RequestError } from '../../../src/client/request-error.ts'

const all: TapeFilter = { minSize: 0, minPremium: 0, side: undefined, expiry: undefined, right: undefined }
const option = (second: number, more: Partial<TapePrint> = {}): TapePrint => ({
  ts: new Date(Date.UTC(2026, 6, 29, 15, 0, 0) + 1000 * second).toISOString(),
  expiry: '2026-08-21',
  strike: 640,
  right: 'C',
  price: 4.2,
  size: 10,
  side: 'buy',
  isBlock: false,
  bid: 4.1,
  ask: 4.2,
  ...more
})
const stock = (second: number, more: Partial<TapePrint> = {}): TapePrint => {
  const { ts, price, size, side, isBlock, bid, ask } = option(second, { price: 636.19, size: 20_000, isBlock: true })
  return { ts, price, size, side, isBlock, bid, ask, ...more }
}
/** Prints as an answer has them. */
const answer = (...oldestFirst: readonly TapePrint[]) => oldestFirst.toReversed()
const sizes = (rows: readonly TapePrint[]) => rows.map(({ size }) => size)

describe('what is new in an answer', () => {
  test('is what the one before did not have, oldest first, prints that are alike each by itself', () => {
    const prints = new NewPrints()
    const [a, b, c] = [option(0, { size: 1 }), option(5, { size: 2 }), option(9, { size: 3 })]
    expect(sizes(prints.select(answer(a, b), 500).rows)).toEqual([1, 2])
    expect(sizes(prints.select(answer(a, b), 500).rows)).toEqual([])
    expect(sizes(prints.select(answer(a, b, b, c), 500).rows)).toEqual([2, 3])
    // A late print is placed before prints that were already shown, and the oldest prints drop out.
    const late = option(7, { size: 9 })
    expect(sizes(prints.select(answer(b, b, late, c), 500).rows)).toEqual([9])
    // A cancelled print is gone, and prints of the same answer are not shown again.
    expect(sizes(prints.select(answer(b, late, c), 500).rows)).toEqual([])
  })

  test('says when others may have come between', () => {
    const prints = new NewPrints()
    const from = (first: number) => answer(...[0, 1, 2].map((k) => option(first + k)))
    expect(prints.select(from(0), 3).full).toBe(false)
    expect(prints.select(from(2), 3).full).toBe(false)
    expect(prints.select(from(9), 3).full).toBe(true)
  })

  test('has premium and tags: blocks, and prints of one contract and side that follow closely', () => {
    const run = [option(0), option(0.4, { price: 4.3 }), option(0.5, { right: 'P' }), option(0.8, { isBlock: true })]
    const others = [option(2), option(2.1, { side: 'sell' }), option(2.2, { side: 'mid' }), stock(2.3)]
    const { rows } = new NewPrints().select(answer(...run, ...others), 500)
    expect(rows.map(({ tags }) => tags.join())).toEqual(['sweep', 'sweep', '', 'block,sweep', '', '', '', 'block'])
    expect(rows[0].premium).toBeCloseTo(4200)
    expect(rows.at(-1)!.premium).toBeCloseTo(12_723_800)
  })
})

test('filters leave out what is smaller, of another side, expiration or type', () => {
  const [row] = new NewPrints().select([option(0)], 500).rows
  const shown = (more: Partial<TapeFilter>) => isShown(row, { ...all, ...more })
  expect([shown({}), shown({ minSize: 10 }), shown({ minSize: 11 })]).toEqual([true, true, false])
  expect([shown({ minPremium: 4200 }), shown({ minPremium: 4201 })]).toEqual([true, false])
  expect([shown({ side: 'buy' }), shown({ side: 'mid' })]).toEqual([true, false])
  expect([shown({ expiry: '2026-08-21' }), shown({ expiry: '2026-08-28' })]).toEqual([true, false])
  expect([shown({ right: 'C' }), shown({ right: 'P' })]).toEqual([true, false])
})

test('a line has time, contract, side, size, price, premium and tags', () => {
  const [one, other] = new NewPrints().select(answer(option(0.25, { size: 1200 }), stock(1)), 500).rows
  const words = (line: string) => line.split(/\s{2,}/)
  expect(words(tapeLine('SPY', one))).toEqual([
    '15:00:00.250',
    'SPY 2026-08-21 640C',
    'buy',
    '1,200',
    '4.20',
    '$504,000'
  ])
  expect(words(tapeLine('SPY', other))).toEqual([
    '15:00:01.000',
    'SPY',
    'buy',
    '20,000',
    '636.19',
    '$12.7 million',
    'block'
  ])
})

describe('a session', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function printing(
    answers: readonly (readonly TapePrint[] | Error)[],
    more: { json?: boolean; filter?: TapeFilter } = {}
  ) {
    const signals = new EventEmitter()
    const written = { out: [] as string[], err: [] as string[] }
    const waiting = [...answers]
    const newest = async () => {
      const next = waiting.length > 1 ? waiting.shift()! : waiting[0]
      if (next instanceof Error) throw next
      return next
    }
    const terminal = {
      out: (line: string) => void written.out.push(line),
      err: (line: string) => void written.err.push(line),
      env: {}
    }
    const wanted = { symbol: 'SPY', filter: more.filter ?? all, json: more.json ?? false, newest }
    return { signals, written, ended: tapeSession(wanted, terminal, signals) }
  }

  test('shows the newest prints first, then each new one once, until Ctrl-C', async () => {
    const many = Array.from({ length: 30 }, (_, k) => option(10 * k, { size: k + 1 }))
    const { signals, written, ended } = printing([answer(...many), answer(...many, option(999, { size: 77 }))], {
      json: true
    })
    await vi.advanceTimersByTimeAsync(5000)
    expect(written.out.map((line) => JSON.parse(line).size)).toEqual([...sizes(many.slice(10)), 77])
    expect(JSON.parse(written.out[0])).toMatchObject({ symbol: 'SPY', premium: 4620, tags: [] })
    signals.emit('SIGINT')
    await ended
    expect([written.err, signals.eventNames()]).toEqual([[], []])
  })

  test('says when more came than an answer holds, and goes on where the service was away', async () => {
    const full = (first: number) => answer(...Array.from({ length: MAX_PRINTS }, (_, k) => option(first + k)))
    const away = new RequestError('unreachable', 'http://127.0.0.1:8080 does not answer')
    const { signals, written, ended } = printing([full(0), away, away, full(9000)])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(written.err).toEqual([
      'http://127.0.0.1:8080 does not answer; trying again',
      'more than 500 prints arrived since the previous line: those in between are not shown'
    ])
    expect(written.out).toHaveLength(20 + MAX_PRINTS)
    signals.emit('SIGTERM')
    await ended
  })

  test('ends with a refusal', async () => {
    const refused = new RequestError('tier_restricted', 'this answer needs a higher plan', { status: 403 })
    await expect(printing([refused]).ended).rejects.toThrow('needs a higher plan')
    const later = printing([[], refused])
    const failed = expect(later.ended).rejects.toThrow('needs a higher plan')
    await vi.advanceTimersByTimeAsync(2000)
    await failed
  })
})

test('flags that make no sense are all named at once', async () => {
  const err: string[] = []
  const flags = ['--min-size', 'x', '--side', 'up', '--type', 'straddle', '--expiry', 'soon', '--stocks']
  expect(await main(['tape', 'SPY', ...flags], { out: () => {}, err: (line) => err.push(line), env: {} })).toBe(1)
  for (const problem of ['--min-size must', '--side must be one of mid, buy, sell', '--expiry must', '--type must']) {
    expect(err.join()).toContain(problem)
  }
})
