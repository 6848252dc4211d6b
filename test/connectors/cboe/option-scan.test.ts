import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Payload, parsePayload, parsePlainly } from '../../../src/connectors/cboe/payload.ts'
import { noTradeYet } from '../../../src/connectors/cboe/scan/newest-trade.ts'
import { scanOptions } from '../../../src/connectors/cboe/scan/option-scan.ts'
import { figureNames, type PayloadOptions } from '../../../src/connectors/cboe/scan/options.ts'
import { cboeOption, cboePayload } from '../../support/cboe-payload.ts'

const fetched = Date.parse('2026-07-29T22:37:29Z')

/** The contracts of a list written as JSON, read by the scan; undefined where it leaves them to JSON. */
function scanned(list: string) {
  const bytes = Buffer.from(list)
  const trades = noTradeYet(fetched)
  const options = scanOptions(bytes, bytes.indexOf('[') + 1, bytes.lastIndexOf(']'), trades)
  return options === undefined ? undefined : { ...rowsOf(options), newest: trades.text }
}

const rowsOf = ({ symbols, figures }: PayloadOptions) => ({
  symbols,
  figures: [...figures.subarray(0, symbols.length * figureNames.length)]
})

const parsed = (options: readonly unknown[]) => rowsOf(parsePayload(Buffer.from(cboePayload({ options }))).options)

const calls = [cboeOption('SPY260731C00730000'), cboeOption('SPY260731C00731000', { bid: 0, ask: 12.34 })]

describe('contracts that are all laid out alike', () => {
  test.each([
    ['tightly', JSON.stringify(calls)],
    [
      'with spaces, as until 2022',
      JSON.stringify(calls).replaceAll(',"', ', "').replaceAll('":', '": ').replaceAll('},{', '}, {')
    ],
    ['on lines of their own', JSON.stringify(calls).replaceAll('},{', '},\n  {')]
  ])('are read without JSON, written %s', (_, list) => {
    expect(scanned(list)).toEqual({
      symbols: ['SPY260731C00730000', 'SPY260731C00731000'],
      figures: [4.1, 4.2, 4.14, 12, 30, 77, 1052, 0, 12.34, 4.14, 12, 30, 77, 1052],
      newest: '2026-07-29T16:14:59'
    })
  })

  test('may be none', () => {
    expect(scanned('[ ]')).toEqual({ symbols: [], figures: [], newest: '' })
  })

  test('have the newest trade that was before the fetch', () => {
    const times = [
      '2026-07-29T10:00:00',
      '2027-01-04T10:00:00',
      '2026-07-29T15:59:59.5',
      'soon',
      null,
      '2026-07-28T16:00:00'
    ]
    const list = times.map((last_trade_time) => cboeOption('SPY260731C00730000', { last_trade_time }))
    expect(scanned(JSON.stringify(list))?.newest).toBe('2026-07-29T15:59:59.5')
  })

  test('may be more than there was room for at first', () => {
    const list = Array.from({ length: 9000 }, (_, i) => cboeOption('SPY260731C00730000', { bid: i }))
    const bids = scanned(JSON.stringify(list))?.figures.filter((_, at) => at % figureNames.length === 0)
    expect(bids).toEqual(list.map((_, i) => i))
  })
})

describe('contracts that are not', () => {
  const [first, second] = calls.map((option) => JSON.stringify(option))
  test.each([
    ['lacks a field', second.replace('"ask_size":30,', '')],
    ['has another field', second.replace('"bid":', '"x":1,"bid":')],
    ['has its fields in another order', JSON.stringify(Object.fromEntries(Object.entries(calls[1]).reverse()))],
    [
      'has two fields in each other’s place',
      second.replace('"bid":0', '"???":0').replace('"ask":', '"bid":').replace('???', 'ask')
    ],
    ['has a field of a longer name where nobody reads', second.replace('"iv":', '"ivx":')],
    ['holds an escaped character', second.replace('SPY2', '\\u0053PY2')],
    ['holds a letter that is not ASCII', second.replace('SPY2', 'ŠPY2')],
    ['holds something nested', second.replace('"tick":null', '"tick":{"a":1,"b":2}')],
    ['holds a number that is none', second.replace('"bid":0', '"bid":0-1')],
    ['holds the word of another language', second.replace('"tick":null', '"tick":None')],
    ['holds nothing where nobody reads', second.replace('"iv":0.1812', '"iv":')],
    ['names itself without quotes', second.replace('"SPY260731C00731000"', '0.1SPY8')],
    ['was traded at a bare time', second.replace('"2026-07-29T16:14:59"', '2026-07-29')],
    ['holds a blank that is none to JSON', second.replace('"bid":', '"bid":\v')],
    ['ends with such a blank', second.replace('}', '\f}')],
    ['lacks a comma', second.replace(',"bid":', '{"bid":')],
    ['is null', 'null'],
    ['breaks off', second.slice(0, -20)]
  ])('are left to JSON where one of them %s', (_, odd) => {
    expect(scanned(`[${first},${second}]`)).toBeDefined()
    expect(scanned(`[${first},${odd}]`)).toBeUndefined()
    expect(scanned(`[${odd},${first}]`)).toBeUndefined()
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
  ])('are left to JSON where one of them holds %s, whether it is read or not', (value) => {
    expect(scanned(`[${first},${second.replace('"bid":0', `"bid":${value}`)}]`)).toBeUndefined()
    expect(scanned(`[${first},${second.replace('"iv":0.1812', `"iv":${value}`)}]`)).toBeUndefined()
  })

  test('have the last of two figures where one is given again in the place of a field that nobody reads', () => {
    const withRho = (bid: number) => JSON.stringify(cboeOption('SPY260731C00730000', { bid, rho: 7 }))
    const list = `[${withRho(1)},${withRho(2).replace('"rho"', '"bid"')}]`
    expect(scanned(list)).toBeUndefined()
    const { figures } = parsePayload(Buffer.from(cboePayload({ options: [] }).replace('[]', list))).options
    expect([figures[0], figures[figureNames.length]]).toEqual([1, 7])
  })

  test('are read as if they were', () => {
    const turned = Object.fromEntries(Object.entries(calls[1]).reverse())
    expect(parsed([calls[0], turned])).toEqual(parsed(calls))
    expect(parsed([calls[0], { ...calls[1], tick: 'Š' }])).toEqual(parsed(calls))
  })
})

test('whatever a contract holds, it is read as JSON has it', () => {
  const anything = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(null, true, '7', {}, [])
  )
  const names = ['option', 'last_trade_time', 'open', 'tick', ...figureNames]
  const option = fc.record(Object.fromEntries(names.map((name) => [name, anything])))
  fc.assert(
    fc.property(fc.array(option, { maxLength: 4 }), (list) => {
      const { symbols, figures } = parsed(list)
      expect(symbols).toEqual(list.map(({ option }) => (typeof option === 'string' ? option : undefined)))
      const values = list.flatMap((row) => figureNames.map((name) => row[name]))
      expect(figures).toEqual(values.map((value) => (typeof value === 'number' ? value + 0 : Number.NaN)))
    })
  )
})

describe('a payload as the exchange writes it', () => {
  const price = fc.oneof(
    fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null)
  )
  const time = fc.oneof(
    fc.integer({ min: 0, max: 23_399 }).map((second) => {
      return `2026-07-29T${new Date(34_200_000 + second * 1000).toISOString().slice(11, 19)}`
    }),
    fc.constantFrom(null, '', 'soon', '2027-01-04T10:00:00')
  )
  const text = fc.string({ unit: 'grapheme-ascii' })
  const figures = Object.fromEntries([...figureNames, 'iv', 'delta'].map((name) => [name, price]))
  const contract = fc.record({ option: text, ...figures, last_trade_time: time, tick: text })
  const contracts = fc.array(contract, { maxLength: 6 })
  const spacing = fc.constantFrom(undefined, 1)
  /** All but the contracts, which the scan cuts out of what it leaves to JSON. */
  const headOf = ({ symbol, fetched, newestTrade, underlying }: Payload) => {
    return { symbol, fetched, newestTrade, underlying: { ...underlying, options: undefined } }
  }

  test('is read by the scan as JSON alone reads it, head, symbols and figures', () => {
    fc.assert(
      fc.property(contracts, spacing, (options, space) => {
        const bytes = Buffer.from(JSON.stringify(JSON.parse(cboePayload({ options })), undefined, space))
        const [fast, plain] = [parsePayload(bytes), parsePlainly(bytes)]
        expect(rowsOf(fast.options)).toEqual(rowsOf(plain.options))
        expect(headOf(fast)).toEqual(headOf(plain))
      })
    )
  })

  test('is taken by the scan, unless a text in it needs an escape or holds a bracket or a brace', () => {
    fc.assert(
      fc.property(contracts, (options) => {
        fc.pre(options.every(({ option, tick }) => !/["\\[\]{}]/.test(`${option}${tick}`)))
        expect(scanned(JSON.stringify(options))).toBeDefined()
      })
    )
  })
})

test('what is no payload is refused by the scan and by JSON alone in the same words', () => {
  const whole = cboePayload({ options: calls })
  const words = (read: typeof parsePayload, text: string) => {
    try {
      return rowsOf(read(Buffer.from(text)).options)
    } catch (error) {
      return String(error)
    }
  }
  fc.assert(
    fc.property(fc.nat({ max: whole.length }), fc.constantFrom('', '[', ']', '"', '{', ',', '\\'), (at, put) => {
      const broken = whole.slice(0, at) + put + whole.slice(at + 1)
      expect(words(parsePayload, broken)).toEqual(words(parsePlainly, broken))
    })
  )
})
