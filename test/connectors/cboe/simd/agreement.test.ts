import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCboeChain } from '../../../../src/connectors/cboe/cboe-chain.ts'
import { type CboeChain, readByJson } from '../../../../src/connectors/cboe/json-chain.ts'
import { readPayload } from '../../../../src/connectors/cboe/recorded-payloads.ts'
import { cboeOption, cboePayload, recordedPayloads } from '../../../support/cboe-payload.ts'
import { isTakenAlike } from './agreement.ts'

const folder = recordedPayloads()
const CASES = 2000

/** A payload as text: what stands before its contracts, each of them, what stands behind. */
interface Parts {
  readonly before: string
  readonly rows: readonly string[]
  readonly behind: string
}

function partsOf(text: string): Parts {
  const start = text.indexOf('"options":[') + '"options":['.length
  const end = text.indexOf(']', start)
  return { before: text.slice(0, start), rows: text.slice(start, end).split(/(?<=\}),/), behind: text.slice(end) }
}

/** SPX and SPXW in three expirations, with prices, sizes and trades of many kinds. */
function made(): Parts {
  const options = ['SPX260821', 'SPXW260821', 'SPXW260918'].flatMap((series, s) =>
    Array.from({ length: 120 }, (_, i) => {
      const strike = String((5000 + 25 * (i >> 1)) * 1000).padStart(8, '0')
      return cboeOption(`${series}${'CP'[i % 2]}${strike}`, {
        bid: i % 7 === 0 ? 0 : (i * 37) / 100,
        ask: i % 11 === 0 ? 0 : (i * 41) / 100,
        bid_size: i % 3,
        ask_size: i % 5,
        delta: -i / 1000,
        volume: i % 4 === 0 ? 0 : i,
        open_interest: 10 ** (i % 6),
        last_trade_time: i % 9 === 0 ? null : `2026-07-29T${10 + (i % 6)}:0${s}:${10 + (i % 50)}`
      })
    })
  )
  return partsOf(cboePayload({ symbol: '^SPX', options }))
}

const values =
  `0 -0 0.0 -0.0 -12 -0.05 -3.0 1e3 1E+2 1e-05 -1.5 007 .1 4. 01.5 - +1 null true false nul NaN Infinity 1e999 -1e999 5e
  123456789012345 1234567890123456 12345678901234567890 0.1234567890123456789 99999999999999.5 1.7976931348623157e308
  2147483647 2147483648 2147483647.0 3.5 4.35 1.005 0.000001 0.30000000000000004 "x" "1.0" {} [] "a\\"b" "é" ""`
    .trim()
    .split(/\s+/)
const symbols = `SPX260821C00200000 SPXW260821P00200000 SPX1260821C00200000 2SPX260821C00200000 SPX260821X00200000
  SPX260821C00000000 SPX260231C00200000 SPX250821C00200000 X260821C0020000 AAPL260821C00200000 SPX260821C0020000a
  SPX260821C99999999 TOOLONGROOT260821C00200000 spx260821C00200000 SPX260821P00200000 SPX260821C00200001`
  .trim()
  .split(/\s+/)
  .concat('', 'SPX   260821C00200000')
const times = `2026-07-29T16:15:00 2026-07-29T16:14:59 2027-01-01T00:00:00 2026-07-29T16:15 x 2026-07-29T16:14:59.5
  9999-99-99T99:99:99 2026-07-31T16:14:59 2026-07-31T16:14:59.25`
  .trim()
  .split(/\s+/)
  .concat('', '2026-07-29 16:14:59')

/** Changes the rows of a payload, all of them or one. Numbers choose where: taken modulo what there is. */
type Edit = (rows: string[], row: number, place: number) => void
const edits: Readonly<Record<string, Edit>> = {
  value: (rows, row, place) => {
    const found = [...rows[row].matchAll(/:(?:"[^"]*"|[-+.\w]+)/g)].filter(([text]) => !/^:"?\d\d:/.test(text))
    const match = found[place % found.length]
    if (match === undefined) return
    const rest = rows[row].slice(match.index + match[0].length)
    rows[row] = rows[row].slice(0, match.index + 1) + values[(place >> 6) % values.length] + rest
  },
  symbol: (rows, row, place) => {
    rows[row] = rows[row].replace(/"option":"[^"]*"/, `"option":"${symbols[place % symbols.length]}"`)
  },
  trade: (rows, row, place) => {
    rows[row] = rows[row].replace(/"last_trade_time":"[^"]*"/, `"last_trade_time":"${times[place % times.length]}"`)
  },
  swapped: (rows, row, place) => {
    const other = place % rows.length
    ;[rows[row], rows[other]] = [rows[other], rows[row]]
  },
  repeated: (rows, row) => void rows.push(rows[row]),
  inserted: (rows, row, place) => {
    const at = (place >> 8) % (rows[row].length + 1)
    rows[row] = rows[row].slice(0, at) + String.fromCharCode(place & 255) + rows[row].slice(at + (place & 1))
  },
  deleted: (rows, row, place) => {
    const at = (place >> 3) % (rows[row].length + 1)
    rows[row] = rows[row].slice(0, at) + rows[row].slice(at + 1 + (place & 3))
  }
}

const where = fc.noBias(fc.nat({ max: 2 ** 30 }))
const { value, symbol } = edits // these two more often than others
const edit = fc.constantFrom(value, value, symbol, ...Object.values(edits))
const change = fc.record({ edit, row: where, place: where })
const seldom = (of: number) => fc.oneof({ weight: of - 1, arbitrary: fc.constant(false) }, fc.constant(true))
const spacing = { joint: fc.constantFrom(',', ', ', ',\n', '\t,'), isWide: seldom(40) }
const choice = fc.record({
  first: where,
  count: fc.integer({ min: 1, max: 40 }),
  changes: fc.array(change, { maxLength: 3 }),
  ...spacing,
  isCut: seldom(30),
  end: where
})

function altered(
  { before, rows: all, behind }: Parts,
  chosen: typeof choice extends fc.Arbitrary<infer Of> ? Of : never
) {
  const { first, count, changes, joint, isWide, isCut, end } = chosen
  const from = first % Math.max(1, all.length - count)
  const rows = all.slice(from, from + count)
  for (const { edit, row, place } of changes) edit(rows, row % rows.length, place)
  const tight = before + rows.join(joint) + behind
  const whole = isWide ? tight.replaceAll('},{', '} , {').replaceAll('":', '": ') : tight
  return Buffer.from(isCut ? whole.slice(0, end % whole.length) : whole, 'latin1')
}

/** Tries many altered payloads, the same in each run, and returns how many the WebAssembly reader takes. */
function takenOf(parts: Parts): number {
  let taken = 0
  const property = fc.property(choice, (chosen) => {
    if (isTakenAlike(altered(parts, chosen))) taken++
  })
  fc.assert(property, { seed: 17, numRuns: CASES })
  return taken
}

describe('whatever is done to a payload, the WebAssembly reader refuses it or reads what JSON has', () => {
  test('made up', () => {
    expect(takenOf(made())).toBeGreaterThan(CASES / 4)
  })

  test.skipIf(folder === undefined)('recorded', async () => {
    const bytes = await readPayload(join(folder!, '_SPX-2026-07-31.json.gz'))
    expect(takenOf(partsOf(bytes.toString('latin1')))).toBeGreaterThan(CASES / 4)
  })
})

const price = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  fc.constant(null)
)
const anyFigure = fc.oneof(price, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer())
/** Open interest that a contract may have, beside none. */
const interest = fc.oneof(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.constant(null))
const time = fc.oneof(
  fc.integer({ min: 0, max: 23_399 }).map((second) => {
    return `2026-07-29T${new Date(34_200_000 + second * 1000).toISOString().slice(11, 19)}`
  }),
  fc.constantFrom(null, '', 'soon', '2027-01-04T10:00:00')
)
const contract = fc.record({
  bid: price,
  ask: price,
  bid_size: anyFigure,
  ask_size: anyFigure,
  last_trade_price: anyFigure,
  volume: anyFigure,
  open_interest: interest,
  delta: anyFigure,
  last_trade_time: time,
  tick: fc.string({ unit: 'grapheme-ascii' })
})

/** A payload of calls, their strikes ascending. */
const payloadOf = (contracts: readonly object[]) => {
  const options = contracts.map((fields, k) => ({ option: `SPY260731C007${30 + k}000`, ...fields }))
  return cboePayload({ options })
}

test('a payload as the exchange writes it is taken, unless a text in it needs an escape or holds a bracket or a brace', () => {
  const contracts = fc.array(contract, { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(contracts, fc.constantFrom(undefined, 1), (list, space) => {
      const text = JSON.stringify(JSON.parse(payloadOf(list)), undefined, space)
      const isPlain = list.every(({ tick }) => !/["\\[\]{}]/.test(tick))
      const isTaken = isTakenAlike(Buffer.from(text))
      if (isPlain) expect(isTaken).toBe(true)
    })
  )
})

test.each([
  0.5,
  12.5,
  -1,
  2 ** 31,
  2 ** 32 + 5
])('an open interest of %d is left to the JSON reader, which counts it', (odd) => {
  expect(isTakenAlike(Buffer.from(payloadOf([{ open_interest: 7 }, { open_interest: odd }])))).toBe(false)
})

test('a value is a number, null, true or false exactly if JSON says so', () => {
  const written = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(String)
  const scribbled = fc.string({ unit: fc.constantFrom(...'0012.-+eEntf'), minLength: 1, maxLength: 7 })
  const isJson = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const payload = cboePayload()
  const check = (text: string) => {
    expect(isTakenAlike(Buffer.from(payload.replace('"delta":0.5012', `"delta":${text}`)))).toBe(isJson(text))
  }
  for (const text of ['0', '-0', '0.5', '-12.25', '1e5', '0E-7', '1.5e+20', 'null', 'true', 'false']) check(text)
  for (const text of ['-', '.', '4.', '.1', '-.5', '007', '-01', '+1', '1e', '1e+', '1.e5', 'nul', 'None', 'NaN'])
    check(text)
  fc.assert(fc.property(fc.oneof(written, scribbled), check))
})

test('what is no payload is refused in the words of the JSON reader', () => {
  const whole = cboePayload()
  const outcome = (read: (bytes: Buffer) => CboeChain, text: string) => {
    try {
      return read(Buffer.from(text)).chain
    } catch (error) {
      return String(error)
    }
  }
  fc.assert(
    fc.property(fc.nat({ max: whole.length }), fc.constantFrom('', '[', ']', '"', '{', ',', '\\'), (at, put) => {
      const broken = whole.slice(0, at) + put + whole.slice(at + 1)
      expect(outcome(readCboeChain, broken)).toEqual(outcome(readByJson, broken))
    })
  )
})

test.skipIf(folder === undefined)('every recorded payload is taken, and read as JSON has it', async () => {
  const names = readdirSync(folder!).filter((name) => name.endsWith('.json.gz'))
  for (const name of names) expect([name, isTakenAlike(await readPayload(join(folder!, name)))]).toEqual([name, true])
})
