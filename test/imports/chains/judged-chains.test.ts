import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChainSnapshot } from '../../../src/archive/history-store.ts'
import { type ChainTableOptions, importChains } from '../../../src/imports/chains/import-chains.ts'
import { folderWith, iso, noParquet, type Taken, take } from '../take.ts'

const heading = 'symbol,date,expiration,strike,right,bid,ask,open_interest,underlying_price'

function imported(files: Readonly<Record<string, string>>, more: Partial<ChainTableOptions> = {}): Promise<Taken> {
  const archive = { bars: async () => [], writeTableText: noParquet }
  const options = { columns: undefined, symbol: undefined, archive, ...more }
  return take((writer) => importChains([folderWith(files)], options, writer))
}
const fieldCase = (name: string) => readFileSync(join(import.meta.dirname, '../field-cases', name), 'utf8')
const ofLines = (lines: readonly string[], more: Partial<ChainTableOptions> = {}) =>
  imported({ 'a.csv': `${[heading, ...lines].join('\n')}\n` }, more)

interface Listed {
  readonly date: string
  readonly spot?: number
  readonly interest?: number
  readonly strikes?: readonly number[]
  readonly expirations?: readonly string[]
  readonly symbol?: string
}

const strikes = [80, 85, 90, 95, 100, 105, 110, 115, 120]

/** Rows of a chain whose quotes fit its spot: worth what they are in the money, and a dollar. */
function chainLines({
  date,
  spot = 100,
  interest = 1000,
  strikes: listed = strikes,
  expirations = ['2024-04-19', '2024-05-17'],
  symbol = 'KO'
}: Listed): readonly string[] {
  return expirations.flatMap((expiration) =>
    listed.flatMap((strike) =>
      ['C', 'P'].map((right) => {
        const worth = 1 + Math.max(0, right === 'C' ? spot - strike : strike - spot)
        const quote = `${(worth - 0.05).toFixed(2)},${(worth + 0.05).toFixed(2)}`
        return `${symbol},${date},${expiration},${strike},${right},${quote},${interest},${spot}`
      })
    )
  )
}

const dates = ['2024-03-04', '2024-03-05', '2024-03-06', '2024-03-07', '2024-03-08']
const whole = dates.flatMap((date) => chainLines({ date }))

const figuresOf = (snapshots: readonly ChainSnapshot[]) =>
  snapshots.map(({ chain, missing }) => ({
    symbol: chain.symbol,
    asOf: chain.asOf,
    spot: chain.spot,
    missing,
    expirations: chain.expirations,
    columns: [chain.strike, chain.right, chain.bid, chain.ask, chain.openInterest].map((column) => [...column])
  }))
const reasonsOf = ({ rejections }: Taken) => rejections.map(({ reason, outcome }) => `${outcome}: ${reason}`)

test('a moment that is still to come is set aside, and the others are written', async () => {
  const { snapshots, rejections, tally } = await ofLines(whole, { wallNow: Date.parse('2024-03-07T12:00Z') })
  expect(snapshots.map(({ chain }) => iso(chain.asOf).slice(0, 10))).toEqual(dates.slice(0, 3))
  expect(rejections.map(({ reason }) => /2024-03-0[78] is still to come: .*--dates/.test(reason))).toEqual([true, true])
  expect(tally.doubted).toBe(72)
})

describe('the order of rows', () => {
  test('is of no matter: a table that is sorted by contract gives a chain for each date', async () => {
    const { snapshots, rejections } = await imported({ 'a.csv': fieldCase('03_by_contract.csv') })
    expect(rejections).toEqual([])
    expect(snapshots.map(({ chain }) => [iso(chain.asOf).slice(0, 10), chain.size])).toEqual([
      ['2024-03-05', 14],
      ['2024-03-06', 14],
      ['2024-03-07', 14]
    ])
  })

  test('never changes the archive, in one file or in several, in memory or on the disk', async () => {
    const lines = [
      ...dates.slice(0, 3).flatMap((date) => chainLines({ date, symbol: 'KO' })),
      ...dates.slice(1, 3).flatMap((date, k) => chainLines({ date, symbol: 'PEP', spot: 99 + k })),
      ...chainLines({ date: dates[3] }).slice(5),
      ...chainLines({ date: dates[3] }).slice(0, 9)
    ]
    const expected = figuresOf((await ofLines(lines)).snapshots)
    expect(expected).toHaveLength(6)
    const anyOrder = fc.shuffledSubarray([...lines.keys()], { minLength: lines.length })
    await fc.assert(
      fc.asyncProperty(
        anyOrder,
        fc.integer({ min: 1, max: lines.length - 1 }),
        fc.integer({ min: 1, max: 300 }),
        async (order, cut, heldRows) => {
          const rows = order.map((at) => lines[at])
          const parts = [rows.slice(0, cut), rows.slice(cut)].map((part) => `${[heading, ...part].join('\n')}\n`)
          const taken = await imported({ 'a.csv': parts[0], 'b.csv': parts[1] }, { heldRows })
          expect(reasonsOf(taken)).toEqual([])
          expect(figuresOf(taken.snapshots)).toEqual(expected)
        }
      ),
      { numRuns: 25 }
    )
  })

  test('matters only where there is no room: a moment that was written gets no further row, and that is said', async () => {
    const late = chainLines({ date: dates[0], strikes: [125] })
    const filler = Array.from({ length: 40_000 }, (_, k) => chainLines({ date: dates[4], strikes: [1 + k] })[0])
    const limits = { heldRows: 50, maxFiled: 100, idleRows: 1000 }
    const { snapshots, rejections } = await ofLines([...whole.slice(0, 36), ...filler, ...late], limits)
    expect(snapshots[0].chain.size).toBe(36)
    const said = rejections.filter(({ reason }) => /KO on 2024-03-04 was complete before/.test(reason))
    expect(said).toHaveLength(late.length)
  })
})

test('rows that name no symbol count as refused ones of the moment beside them, first or last in the file', async () => {
  const lines = chainLines({ date: dates[0], strikes: [100], expirations: ['2024-04-19'] })
  const nameless = [...lines, ...lines].map((line) => line.replace(/^KO/, ''))
  const [first, last] = [await ofLines([...nameless, ...lines]), await ofLines([...lines, ...nameless])]
  const outcome = ({ snapshots, doubted, tally }: Taken) => ({ snapshots: figuresOf(snapshots), doubted, tally })
  expect(first.tally).toMatchObject({ snapshots: 0, doubted: 2, rejected: 4 })
  expect(outcome(first)).toEqual(outcome(last))
})

describe('a contract that comes twice', () => {
  test('with other figures is refused with its moment, and can be accepted', async () => {
    const taken = await imported({ 'a.csv': fieldCase('09_spx_am_and_pm_without_root.csv') })
    expect([taken.snapshots, taken.tally.doubted]).toEqual([[], 20])
    expect(reasonsOf(taken)).toEqual([
      expect.stringMatching(/^set aside: .* 10 contracts come twice with other figures/)
    ])
    const accepted = await imported({ 'doubted.csv': taken.doubted[0] }, { accept: true })
    expect([accepted.snapshots[0].chain.size, accepted.rejections]).toEqual([10, []])
    expect([...accepted.snapshots[0].chain.openInterest]).toEqual(new Array(10).fill(900))
  })

  test('with the same figures counts once', async () => {
    const lines = chainLines({ date: dates[0] })
    const { snapshots, rejections, tally } = await ofLines([...lines, ...lines, lines[7]])
    expect([snapshots[0].chain.size, rejections, tally.leftOut]).toEqual([36, [], 37])
  })

  test('at two times after a close counts as of the later one, whichever row comes first', async () => {
    const rows = (...times: readonly string[]) => {
      const lines = times.map(
        (time, k) => `SPX,2024-03-05,2024-03-05 ${time},SPXW,2024-03-08,5100,C,${20 + k},30,1,5100`
      )
      return imported({
        'a.csv': `symbol,date,time,root,expiration,strike,right,bid,ask,open_interest,underlying_price\n${lines.join('\n')}\n`
      })
    }
    const bids = [await rows('16:05:00', '16:10:00'), await rows('16:10:00', '16:05:00')].map(
      ({ snapshots: [{ chain }], rejections }) => [chain.bid[0], rejections]
    )
    expect(bids).toEqual([
      [21, []],
      [20, []]
    ])
  })

  test('with another price of the underlying alone is doubted too, whichever row comes first', async () => {
    const lines = chainLines({ date: dates[0] })
    const moved = lines[0].replace(/,100$/, ',103')
    for (const rows of [
      [...lines, moved],
      [moved, ...lines]
    ]) {
      expect(reasonsOf(await ofLines(rows))).toEqual([
        expect.stringMatching(/price of the underlying is 100 in one row and 103 in another/)
      ])
    }
  })

  test('names the contract and both lines', async () => {
    const [first, ...rest] = chainLines({ date: dates[0] })
    const taken = await ofLines([first, ...rest, first.replace(',1000,', ',1001,')])
    expect(reasonsOf(taken)[0]).toContain(
      '1 contracts come twice with other figures (the first is KO 2024-04-19 80 C in lines 2 and 38)'
    )
  })
})

test.each([
  ['a half a percent more', 100.4, []],
  ['of another hour', 103, [expect.stringMatching(/price of the underlying is 100 in one row and 103 in another/)]],
  ['of another scale', 1000, [expect.stringMatching(/is 100 in one row and 1000 in another/)]]
])('spot and quotes are of one moment: a spot %s', async (_, spot, expected) => {
  const [first, ...rest] = chainLines({ date: dates[0] })
  const taken = await ofLines([first.replace(/,100$/, `,${spot}`), ...rest])
  expect(reasonsOf(taken)).toEqual(expected)
  if (expected.length === 0) expect(taken.snapshots[0].chain.spot).toBe(100)
})

test('rows of several times in the column of dates are moments of their own, each with its spot', async () => {
  const text = fieldCase('04_intraday_one_column.csv').replace('quote_datetime', 'date')
  const { snapshots, tally } = await imported({ 'a.csv': text })
  expect(snapshots.map(({ chain }) => [iso(chain.asOf).slice(11, 16), chain.spot])).toEqual([
    ['14:31', 100],
    ['17:00', 103],
    ['20:59', 98]
  ])
  expect(tally.doubted).toBe(0)
})

test('rows of global trading hours are counted apart, and are the business of some indexes alone', async () => {
  const text = fieldCase('19_global_hours.csv')
  const { snapshots, rejections, notes, tally } = await imported({ 'a.csv': text })
  expect([snapshots.map(({ chain }) => iso(chain.asOf)), tally.leftOut]).toEqual([['2024-03-05T21:00:00.000Z'], 2])
  expect(rejections.map(({ reason }) => reason)).toEqual(['its time "2024-03-05 09:29:00" is before the opening'])
  const told = expect.stringMatching(/^left out: 2 quotes of global trading hours/)
  expect(notes).toContainEqual({ kind: 'warning', text: told })
  const other = await imported({ 'a.csv': text.replaceAll('SPXW', 'KO').replaceAll('SPX', 'KO') })
  expect([other.tally.leftOut, other.tally.rejected]).toEqual([1, 2]) // of two rows at the close the earlier one
})

describe('scale and parity', () => {
  test.each([
    '11_strikes_times_1000.csv',
    '11b_spot_ten_times_too_low.csv'
  ])('a chain without a strike near spot is written and reported: %s', async (name) => {
    const taken = await imported({ 'a.csv': fieldCase(name) })
    expect([taken.snapshots.length, taken.tally.marked]).toEqual([1, 1])
    expect(reasonsOf(taken)).toEqual([expect.stringMatching(/^written: KO on 2024-03-05: no strike near spot/)])
  })

  test('prices of another scale are reported, however far apart the spots are that they imply', async () => {
    const lines = chainLines({ date: dates[0] }).map((line) =>
      line.replace(/,([\d.]+),([\d.]+),1000,/, (_, bid, ask) => `,${bid * 1e9},${ask * 1e9},1000,`)
    )
    expect(reasonsOf(await ofLines(lines))).toEqual([
      expect.stringMatching(
        /^written: KO on 2024-03-04: \d+ of its \d+ bids are too high, the first 20950000000 for a call/
      )
    ])
  })

  test.each([
    ['of another company', 130, 1],
    ['of the day before', 101, 0]
  ])('a spot %s is held against what the options say', async (_, spot, marked) => {
    const lines = chainLines({ date: dates[0] }).map((line) => line.replace(/,100$/, `,${spot}`))
    expect((await ofLines(lines)).tally.marked).toBe(marked)
  })
})

describe('a part of a chain', () => {
  test('between whole ones is set aside', async () => {
    const taken = await ofLines([...whole.slice(0, 72), ...whole.slice(72, 90), ...whole.slice(108)])
    expect(taken.snapshots.map(({ chain }) => iso(chain.asOf).slice(0, 10))).toEqual([
      dates[0],
      dates[1],
      dates[3],
      dates[4]
    ])
    expect(reasonsOf(taken)).toEqual([
      'set aside: KO on 2024-03-06: it lists 50 % of the live contracts of the moment before'
    ])
  })

  test('is none where contracts expire, strikes are added or the underlying is split', async () => {
    const expirations = ['2024-03-05', '2024-04-19']
    const expiring = [
      ...chainLines({ date: dates[1], expirations }),
      ...chainLines({ date: dates[2], expirations: ['2024-04-19'] })
    ]
    const added = chainLines({ date: dates[3], expirations: ['2024-04-19'], strikes: [...strikes, 125, 130, 135] })
    const halves = [...strikes, 125, 130, 135].map((strike) => strike / 2)
    const split = chainLines({ date: dates[4], expirations: ['2024-04-19'], strikes: halves, spot: 50 })
    expect(reasonsOf(await ofLines([...expiring, ...added, ...split]))).toEqual([])
  })

  test('is none where a source lists others every time', async () => {
    const some = dates.flatMap((date, k) => chainLines({ date, strikes: strikes.map((strike) => strike + 0.5 * k) }))
    expect(reasonsOf(await ofLines(some))).toEqual([])
  })

  test('is what is left where many rows cannot be used', async () => {
    const lines = chainLines({ date: dates[0] }).map((line, k) => (k < 4 ? line.replace(',1000,', ',12.5,') : line))
    const taken = await ofLines(lines)
    expect(taken.snapshots).toEqual([])
    expect(reasonsOf(taken).at(-1)).toContain('4 of its 36 rows cannot be used')
  })

  test('one bad row of many does not hold a chain back', async () => {
    const lines = chainLines({ date: dates[0] }).map((line, k) => (k < 1 ? line.replace(',1000,', ',12.5,') : line))
    const { snapshots, tally } = await ofLines(lines)
    expect([snapshots[0].chain.size, tally.rejected]).toEqual([35, 1])
  })
})

describe('a table that is cut off', () => {
  const byDate = `${[heading, ...whole].join('\n')}\n`
  const byContract = `${[heading, ...[...Array(36).keys()].flatMap((k) => dates.map((_, d) => whole[36 * d + k]))].join('\n')}\n`
  /** Ends of the text after which it is whole, as far as anybody can tell: between two dates or two contracts. */
  const isEnd = (rows: number, every: number) => rows % every === 0

  test.each([
    ['date', byDate, 36, 36],
    ['contract', byContract, dates.length, 8 * dates.length]
  ])('anywhere, sorted by %s, gives no chain of which a row is missing without a word', async (_, text, every, few) => {
    const full = new Map(figuresOf((await imported({ 'a.csv': text })).snapshots).map((one) => [one.asOf, one]))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: heading.length + 1, max: text.length - 2 }), async (at) => {
        const taken = await imported({ 'a.csv': text.slice(0, at) })
        const lines = text.slice(heading.length + 1, at)
        const whole = lines.split('\n').length - 1
        const said = taken.rejections.length + taken.tally.doubted + taken.notes.filter(isUnended).length
        if (isEnd(whole, every) && (lines === '' || lines.endsWith('\n'))) return
        // Between two lines of its first rows nothing tells yet in which order more would follow.
        if (whole < few && lines.endsWith('\n')) return
        const asInFull = taken.snapshots.every(({ chain }) => full.get(chain.asOf)?.columns[0].length === chain.size)
        if (!asInFull) expect(said, `${at}: ${lines.slice(-60)}`).toBeGreaterThan(0)
      }),
      { numRuns: 60 }
    )
  })

  const isUnended = (note: Taken['notes'][number]) => note.kind === 'understood' && /no line break/.test(note.text)
})

test('a dry run tells layout, moments, contracts, spot, parity and first rows, and writes nothing', async () => {
  const odd = [...whole.slice(0, 72), ...whole.slice(72, 90), ...whole.slice(108)]
  const { snapshots, notes, tally } = await ofLines(odd, { dryRun: true })
  expect([snapshots, tally.snapshots, tally.doubted]).toEqual([[], 0, 18])
  const [text] = notes.flatMap((note) => (note.kind === 'understood' ? [note.text] : []))
  expect(text.split('\n').slice(1)).toEqual([
    expect.stringMatching(
      /^KO: 5 moments, 2024-03-04 16:00 to 2024-03-08 16:00 New York, 18 to 36 contracts, usually 36, spot 100, put-call parity [\d.]+ to [\d.]+$/
    ),
    '  odd: 2024-03-06 16:00 with 18',
    'first rows as they will stand:',
    '  KO 2024-03-04 16:00:00, KO 2024-04-19 80 C, bid 20.95, ask 21.05, open interest 1000, underlying 100',
    '  KO 2024-03-04 16:00:00, KO 2024-04-19 80 P, bid 0.95, ask 1.05, open interest 1000, underlying 100',
    '  KO 2024-03-04 16:00:00, KO 2024-04-19 85 C, bid 15.95, ask 16.05, open interest 1000, underlying 100',
    expect.stringMatching(/^doubted and set aside: 1 moment: KO on 2024-03-06: it lists 50 %/)
  ])
})

test('what is told of a table names its separator, the zone of its times and the moment of rows without one', async () => {
  const told = async (text: string, more: Partial<ChainTableOptions> = {}) => {
    const { notes } = await imported({ 'a.csv': text }, more)
    return notes.flatMap((note) => (note.kind === 'understood' ? [note.text.split('\n')[0]] : []))[0]
  }
  const text = `${[heading, ...chainLines({ date: dates[0] })].join('\n')}\n`
  expect(await told(text)).toContain(
    ': columns named like fields, separated by commas; times without a zone are of New York, rows without a time of the close; reads '
  )
  const other = await told(text.replaceAll(',', '\t'), { forms: { zone: 'America/Chicago' } })
  expect(other).toContain(', separated by tabs; times without a zone are of America/Chicago, rows without')
})
