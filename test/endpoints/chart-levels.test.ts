import { afterAll, describe, expect, test } from 'vitest'
import { answerBytes } from '../../src/api/answer.ts'
import { quarterlyExpiry } from '../../src/endpoints/exposure/chart-levels/conversion.ts'
import { familyOf } from '../../src/market/instrument-family.ts'
import type { Ticker } from '../../src/market/units.ts'
import { endpointAt, textOf } from '../support/asking.ts'
import { eastern } from '../support/hand-made.ts'
import { handMade } from '../support/markets.ts'
import { service } from '../support/service.ts'
import type { ChartLevels, ZeroDte } from './answers.ts'

const path = '/v1/exposure/chart-levels/{symbol}'
const endpoint = endpointAt(path)
const market = handMade('AM and PM series on one date')
const { chain } = market
const result = textOf(endpoint, market, { as: 'ES' })
const json = JSON.parse('text' in result ? result.text : 'null') as ChartLevels

function lines(format: string, given = chain): readonly string[] {
  const params = { symbol: given.symbol, expiration: undefined, format, as: 'ES' as Ticker }
  const form = endpoint.formWanted!(params as never)
  const bytes = answerBytes(endpoint, {
    params,
    inputs: { chain: given, secondChain: undefined },
    body: undefined,
    caller: [],
    form
  })
  const text = new TextDecoder().decode(bytes)
  expect(text.endsWith('\n')).toBe(true)
  expect(text).not.toContain('\r')
  return text.slice(0, -1).split('\n')
}

describe('every format holds the levels of json in their order', () => {
  const { levels } = json
  test('csv', () => {
    expect(lines('csv')).toEqual(['id,label,price', ...levels.map(({ id, label, price }) => `${id},${label},${price}`)])
  })
  test('ninjatrader and sierra', () => {
    expect(lines('ninjatrader')).toEqual(levels.map(({ label, price }) => `${price};${label}`))
    expect(lines('sierra')).toEqual(levels.map(({ label, price }) => `${price},${label}`))
  })
  test.each([
    ['pine', /^hline\(([\d.]+), "(.*)", color = color\.\w+\)$/, '//'],
    ['thinkscript', /^plot (\w+) = ([\d.]+);$/, '#']
  ])('%s, with symbol, as and as_of in a comment', (format, line, mark) => {
    const text = lines(format)
    const drawn = text.flatMap((one) => line.exec(one)?.slice(1, 3) ?? [])
    const expected = levels.flatMap(({ id, label, price }) =>
      format === 'pine' ? [`${price}`, label] : [id, `${price}`]
    )
    expect(drawn).toEqual(expected)
    expect(text.find((one) => one.startsWith(`${mark} `))).toBe(`${mark} symbol SPX, as ES, as_of ${json.as_of}`)
    for (const { label } of levels) expect(text.filter((one) => one.includes(`"${label}"`)).length).toBeGreaterThan(0)
    // Balanced brackets and quotes on every line: a script that does not end would not compile.
    for (const one of text) {
      expect(one.split('(').length).toBe(one.split(')').length)
      expect((one.split('"').length - 1) % 2).toBe(0)
    }
  })
  test('line, and pine6 around it, which is the same script on any day', () => {
    const [text, ...more] = lines('line')
    const levelsIn = levels.map(({ id, price }) => `${id}=${price}`)
    expect([text, more]).toEqual([['symbol=SPX', 'as=ES', `as_of=${json.as_of}`, ...levelsIn].join(';'), []])
    const bare = { ...chain, asOf: chain.asOf + 60_000, bid: chain.bid.map(() => Number.NaN) }
    const [script, other] = [lines('pine6'), lines('pine6', bare)]
    expect(script.filter((one) => one.includes(text))).toHaveLength(1)
    const isFixed = (one: string) => !one.startsWith('pasted = ')
    expect(script.filter(isFixed)).toEqual(other.filter(isFixed))
    expect(script).not.toEqual(other)
    for (const { id } of levels) expect(script.filter((one) => one.startsWith(`plot(${id}, `))).toHaveLength(1)
    const drawn = script.filter((one) => /^(plot|alertcondition)\(/.test(one))
    expect(drawn.length).toBeLessThanOrEqual(64) // what one script may have
  })
  test('and a script of no levels still draws something', () => {
    const bare = handMade('no open interest').chain
    const [bid, sigma] = [bare.bid, bare.sigma].map((column) => column.map(() => Number.NaN))
    const none = { ...bare, symbol: 'SPX' as Ticker, bid, sigma }
    expect(lines('pine', none).at(-1)).toBe('plot(na)')
    expect(lines('thinkscript', none).at(-1)).toBe('plot nothing = Double.NaN;')
  })
})

test('labels of another instrument name the symbol', () => {
  expect(json.levels.find(({ id }) => id === 'call_wall')!.label).toMatch(/^Call wall SPX \d+$/)
})

test('the expected move is that of the zero-dte answer, today and on a later first expiration', () => {
  for (const name of ['several expirations on a day of expiry', 'one expiration']) {
    const given = handMade(name)
    const expiry = given.chain.expirations[0].date
    const today = textOf(endpointAt('/v1/exposure/zero-dte/{symbol}'), given, { expiry })
    const levels = textOf(endpoint, given, {}, ['same_day'])
    if (!('text' in today && 'text' in levels)) throw new Error('refused')
    const { expected_move: move } = JSON.parse(today.text) as ZeroDte
    const prices = new Map((JSON.parse(levels.text) as ChartLevels).levels.map(({ id, price }) => [id, price]))
    expect(prices.get('expected_move_upper')).toBe(move.upper_bound)
    expect(prices.get('expected_move_lower')).toBe(move.lower_bound)
    expect(prices.has('zero_dte_call_wall')).toBe(name !== 'one expiration')
  }
})

test('the future is that of the first quarterly expiry more than a week ahead', () => {
  expect(['2026-09-09', '2026-09-10', '2026-09-11'].map((date) => quarterlyExpiry(eastern(date, '11:00')))).toEqual([
    '2026-09-18',
    '2026-09-18',
    '2026-12-18'
  ])
})

test('a family is an index with what is listed on it', () => {
  const namesOf = (symbol: string) => familyOf(symbol as Ticker).map((member) => member.symbol)
  expect(namesOf('SPY')).toEqual(['SPX', 'SPXW', 'XSP', 'SPY', 'ES', 'MES'])
  expect(namesOf('QQQ')).toEqual(['NDX', 'QQQ', 'NQ', 'MNQ'])
  expect(namesOf('NDXP')).toEqual(['NDXP', 'NDX', 'QQQ', 'NQ', 'MNQ'])
  expect(namesOf('AAPL')).toEqual(['AAPL'])
})

describe('over HTTP', () => {
  const { ask, keyOn, close } = service()
  afterAll(close)
  const key = keyOn('basic')

  test('the format decides the media type, whatever is accepted, and refusals are JSON', async () => {
    const types = await Promise.all(
      ['json', 'csv', 'pine', 'pine6', 'line', 'thinkscript', 'ninjatrader', 'sierra'].map(async (format) => {
        const { statusCode, headers } = await ask(`/v1/exposure/chart-levels/AAPL?format=${format}`, key)
        return `${statusCode} ${headers['content-type']}`
      })
    )
    const [csv, plain] = ['200 text/csv; charset=utf-8', '200 text/plain; charset=utf-8']
    expect(types).toEqual(['200 application/json; charset=utf-8', csv, plain, plain, plain, plain, plain, plain])
    for (const [query, code] of [
      ['format=xml', 'invalid_format'],
      ['format=csv&as=ES', 'invalid_as'],
      ['format=pine&expiration=2031-01-17', 'no_data']
    ]) {
      const refused = await ask(`/v1/exposure/chart-levels/AAPL?${query}`, key)
      expect(refused.json().error).toBe(code)
    }
  })

  test('a fund is drawn on a future by the index, and not at all where that is not held', async () => {
    const spy = (await ask('/v1/exposure/chart-levels/SPY?as=MES', key)).json() as ChartLevels
    expect(spy.basis).toMatchObject({ expiry: '2026-09-18' })
    expect(spy.basis!.factor).toBeGreaterThan(6448 / 100.3)
    const iwm = await ask('/v1/exposure/chart-levels/SPY?as=XSP', key)
    expect([iwm.statusCode, iwm.json().error]).toEqual([404, 'no_data'])
  })
})
