import { describe, expect, test } from 'vitest'
import { readCboeChain } from '../../../src/connectors/cboe/cboe-chain.ts'
import { readByJson } from '../../../src/connectors/cboe/json-chain.ts'
import { readBySimd } from '../../../src/connectors/cboe/simd/simd-chain.ts'
import { noScans, scansOf } from '../../../src/connectors/port/scans.ts'
import { cboeOption, cboePayload } from '../../support/cboe-payload.ts'
import { isTakenAlike } from './simd/agreement.ts'

const call = (fields: Readonly<Record<string, unknown>> = {}) => cboeOption('SPY260731C00730000', fields)
const put = (fields: Readonly<Record<string, unknown>> = {}) => cboeOption('SPY260731P00730000', fields)
const bytesOf = (options: readonly unknown[], parts = {}) => Buffer.from(cboePayload({ options, ...parts }))
const edited = (from: string, to: string) => Buffer.from(cboePayload({ options: [call(), put()] }).replace(from, to))

describe('a payload is taken by the scan, and read as without it,', () => {
  test.each([
    ['as the exchange writes it', bytesOf([call(), put()])],
    ['with spaces, as until 2022', Buffer.from(cboePayload().replaceAll(',"', ', "').replaceAll('":', '": '))],
    ['on lines of its own', Buffer.from(cboePayload().replaceAll('},{', '},\r\n\t{'))],
    ['without a quote', bytesOf([call({ bid: null, ask: null, bid_size: 0, ask_size: 0 }), put()])],
    ['with a bid of zero and sizes that are not stated', bytesOf([call({ bid: 0, bid_size: 0, ask_size: 0 }), put()])],
    ['with a zero below zero', edited('"bid":4.1', '"bid":-0.0')],
    ['with figures of many digits', bytesOf([call({ bid: 0.30000000000000004, last_trade_price: 1e-7 }), put()])],
    ['with an exponent', edited('"volume":77', '"volume":77.0E+00')],
    ['with counts that are none', bytesOf([call({ volume: -3, bid_size: 1.5 }), put()])],
    ['with a last price below zero', bytesOf([call({ last_trade_price: -0.35 }), put()])],
    ['with trades nobody made yet', bytesOf([call({ last_trade_time: '2027-01-04T10:00:00' }), put()])],
    ['with trades of another length', bytesOf([call({ last_trade_time: '2026-07-29T16:14:59.75' }), put()])],
    ['without trades of its options', bytesOf([call({ last_trade_time: null }), put({ last_trade_time: null })])],
    ['with the expirations in another order', bytesOf([cboeOption('SPY260821C00730000'), call(), put()])],
    ['with padded symbols', bytesOf([cboeOption('SPY   260731C00730000'), cboeOption('SPY   260731P00730000')])],
    ['with adjusted contracts', bytesOf([call(), put(), cboeOption('SPY1260731C00730000')])],
    ['with expired contracts', bytesOf([cboeOption('SPY260728C00730000'), call(), put()])],
    ['with contracts of another underlying', bytesOf([call(), put(), cboeOption('QQQ260731C00730000')])],
    ['with what cannot be read', bytesOf([call(), put(), cboeOption('soon'), cboeOption('SPY260231C00730000')])],
    ['before the opening', bytesOf([call(), put({ volume: 0 })], { timestamp: '2026-07-30 12:00:00' })],
    ['while the market is open', bytesOf([call(), put()], { timestamp: '2026-07-29 20:14:59' })]
  ])('%s', (_, bytes) => {
    expect(isTakenAlike(bytes)).toBe(true)
  })

  test('in many blocks, with rows that lie across their borders', () => {
    const options = Array.from({ length: 3000 }, (_, i) =>
      cboeOption(`SPY260731C${String(100_000 + i * 500).padStart(8, '0')}`, { bid: i / 100, volume: i })
    )
    const bytes = bytesOf(options)
    expect(bytes.length).toBeGreaterThan(3 * 262_144)
    expect(isTakenAlike(bytes)).toBe(true)
    expect(readBySimd(bytes)?.chain.size).toBe(3000)
  })
})

describe('a payload is read without the scan', () => {
  const far = { tick: 'x'.repeat(64) }
  test.each([
    ['where it lists nothing', bytesOf([])],
    ['where one contract is laid out otherwise', bytesOf([call(), { x: 1, ...put() }])],
    ['where a symbol has an escape', edited('SPY260731P', '\\u0053PY260731P')],
    ['where a text is long', bytesOf([call(far), put(far)])],
    ['where a row is longer than any', Buffer.from(cboePayload().replace('},{', `},${' '.repeat(300_000)}{`))],
    ['where an open interest is a fraction', bytesOf([call({ open_interest: 1.5 }), put()])],
    ['where a bid is below zero', bytesOf([call({ bid: -1 }), put()])],
    ['where an ask is without end', edited('"ask":4.2', '"ask":1e999')],
    ['where a bid is true', bytesOf([call({ bid: true }), put()])],
    ['where a size is a text', bytesOf([call({ bid_size: '12' }), put()])],
    ['where a contract is listed twice', bytesOf([call(), call(), put()])],
    ['where strikes do not ascend', bytesOf([put(), call()])],
    ['where an expiration is begun again', bytesOf([call(), cboeOption('SPY260821C00730000'), put()])],
    ['where it has more fields than there is room for', bytesOf([wide(call()), wide(put())])],
    ['where the name of a field is long', bytesOf([{ ...call(), ['x'.repeat(30)]: 1 }])]
  ])('%s', (_, bytes) => {
    const scans = noScans()
    const { head: _head, ...mapped } = readCboeChain(bytes, scans)
    const { head: _plain, ...plain } = readByJson(bytes)
    expect(mapped).toEqual(plain)
    expect(scansOf(scans)).toEqual({ taken: 0, refused: 1 })
  })

  test.each([
    ['where a figure is none', edited('"ask":4.2', '"ask":04.2')],
    ['where it is cut off', bytesOf([call(), put()]).subarray(0, 700)],
    ['where nothing of it was ever traded', untraded()],
    ['where most of it cannot be read', bytesOf([call(), cboeOption('x'), cboeOption('y')])]
  ])('%s, and refused as it is then', (_, bytes) => {
    const scans = noScans()
    const words = (read: () => unknown) => {
      try {
        return read()
      } catch (error) {
        return String(error)
      }
    }
    expect(words(() => readCboeChain(bytes, scans))).toEqual(words(() => readByJson(bytes)))
    expect(scansOf(scans)).toEqual({ taken: 0, refused: 1 })
  })
})

test('what was taken before leaves nothing behind for the next payload', () => {
  const [first, second] = [bytesOf([call({ bid: 9 }), put()]), bytesOf([put({ bid: null })])]
  const alone = readBySimd(second)
  const { chain } = readBySimd(first)!
  expect(readBySimd(second)).toEqual(alone)
  expect(chain.bid[0]).toBe(9)
})

test('scans are counted', () => {
  const scans = noScans()
  expect(readCboeChain(bytesOf([call(), put()]), scans).chain.size).toBe(2)
  readCboeChain(bytesOf([call(), put()]), scans)
  readCboeChain(bytesOf([put(), call()]), scans)
  expect(scansOf(scans)).toEqual({ taken: 2, refused: 1 })
})

describe('contracts are left to JSON', () => {
  const rows = ['C00730000', 'C00731000', 'C00732000'].map((name) => JSON.stringify(cboeOption(`SPY260731${name}`)))
  const [first, second, third] = rows
  const list = (...rows: readonly string[]) => Buffer.from(cboePayload({ options: [] }).replace('[]', `[${rows}]`))

  test.each([
    ['lacks a field', second.replace('"ask_size":30,', '')],
    ['has another field', second.replace('"bid":', '"x":1,"bid":')],
    [
      'has its fields in another order',
      JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(second)).reverse()))
    ],
    [
      'has two fields in each other’s place',
      second.replace('"bid":4.1', '"???":4.1').replace('"ask":', '"bid":').replace('???', 'ask')
    ],
    ['has a field of a longer name that is not read', second.replace('"iv":', '"ivx":')],
    ['holds an escaped character', second.replace('SPY2', '\\u0053PY2')],
    ['holds a letter that is not ASCII', second.replace('SPY2', 'ŠPY2')],
    ['holds something nested', second.replace('"tick":null', '"tick":{"a":1,"b":2}')],
    ['holds a calculation', second.replace('"bid":4.1', '"bid":4.1-1')],
    ['holds the word of another language', second.replace('"tick":null', '"tick":None')],
    ['holds nothing where nothing is read', second.replace('"iv":0.1812', '"iv":')],
    ['names itself without quotes', second.replace('"SPY260731C00731000"', '0.1SPY8')],
    ['was traded at a time without quotes', second.replace('"2026-07-29T16:14:59"', '2026-07-29')],
    ['holds white space that JSON does not know', second.replace('"bid":', '"bid":\v')],
    ['ends with such white space', second.replace('}', '\f}')],
    ['lacks a comma', second.replace(',"bid":', '{"bid":')],
    ['is null', 'null'],
    ['breaks off', second.slice(0, -20)]
  ])('where one of them %s', (_, odd) => {
    expect(isTakenAlike(list(first, second, third))).toBe(true)
    expect(isTakenAlike(list(first, odd))).toBe(false)
    expect(isTakenAlike(list(odd, third))).toBe(false)
  })

  test.each([
    '4.',
    '.1',
    '-.5',
    '007',
    '-01',
    '1e',
    '',
    'nul',
    'nulls',
    '1,2'
  ])('where one of them holds %s, whether it is read or not', (value) => {
    expect(isTakenAlike(list(first, second.replace('"bid":4.1', `"bid":${value}`)))).toBe(false)
    expect(isTakenAlike(list(first, second.replace('"iv":0.1812', `"iv":${value}`)))).toBe(false)
  })

  test('and are then the same, whatever their layout', () => {
    const [one, two] = [first, second].map((row) => JSON.parse(row))
    const turned = Object.fromEntries(Object.entries(two).reverse())
    const { chain } = readCboeChain(bytesOf([one, two]))
    expect(readCboeChain(bytesOf([one, turned])).chain).toEqual(chain)
    expect(readCboeChain(bytesOf([one, { ...two, tick: 'Š' }])).chain).toEqual(chain)
  })

  test('so that of two bids in one contract the last counts', () => {
    const withRho = (row: string, bid: number) => JSON.stringify({ ...JSON.parse(row), bid, rho: 7 })
    const bytes = list(withRho(first, 1), withRho(second, 2).replace('"rho"', '"bid"'))
    expect(isTakenAlike(bytes)).toBe(false)
    expect([...readCboeChain(bytes).chain.bid]).toEqual([1, 7])
  })
})

function wide(option: object): object {
  return { ...option, ...Object.fromEntries(Array.from({ length: 60 }, (_, k) => [`field${k}`, k])) }
}

function untraded(): Buffer {
  const options = [call({ last_trade_time: null }), put({ last_trade_time: null })]
  return bytesOf(options, { underlying: { last_trade_time: null } })
}
