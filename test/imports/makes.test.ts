import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import {
  commaForms,
  dateForms,
  type Make,
  makes,
  plainWriting,
  pointForms,
  symbols,
  textOfMake,
  type Writing
} from './makes.ts'
import { folderWith, noParquet, type Taken, take } from './take.ts'

const delimiters = [',', ';', '\t', '|']
const lineEnds = ['\n', '\r\n', '\r']
const marks = ['', '\ufeff']

const anyWriting: fc.Arbitrary<Writing> = fc.record({
  delimiter: fc.constantFrom(...delimiters),
  lineEnd: fc.constantFrom(...lineEnds),
  before: fc.constantFrom(...marks),
  isQuoted: fc.boolean(),
  date: fc.constantFrom(...dateForms),
  number: fc.constantFrom(...pointForms, ...commaForms)
})

function imported({ name, options }: Make, texts: readonly string[], heldRows?: number): Promise<Taken> {
  const archive = { bars: async () => [], writeTableText: noParquet }
  const files = Object.fromEntries(texts.map((text, k) => [k === 0 ? `${name}.csv` : `${name}-${k}.csv`, text]))
  const all = { columns: undefined, symbol: undefined, archive, heldRows, ...options }
  return take((writer) => importChains([folderWith(files)], all, writer))
}

const chainsOf = ({ snapshots }: Taken) =>
  snapshots.map(({ chain, missing }) => [
    chain.symbol,
    chain.asOf,
    chain.spot,
    missing,
    chain.expirations,
    [chain.strike, chain.right, chain.bid, chain.ask, chain.last, chain.volume, chain.openInterest].map((c) => [...c])
  ])

/** Everything of an import that must stay the same. */
const outcomeOf = (taken: Taken) => ({
  chains: chainsOf(taken),
  reasons: taken.rejections.map(({ reason }) => reason),
  tally: taken.tally
})

const isUnended = (note: Taken['notes'][number]) => note.kind === 'understood' && /no line break/.test(note.text)
/** The notes that say that a symbol has a single moment, which nothing can be compared with. */
const isAlone = (note: Taken['notes'][number]) => note.kind === 'understood' && /nothing tells of it/.test(note.text)
const told = ({ rejections, tally, notes }: Taken, isTold = isUnended) =>
  rejections.length + tally.doubted + tally.marked + notes.filter(isTold).length

describe.each(Object.entries(makes))('a table with %s', (_, make) => {
  const plain = textOfMake(make, plainWriting)

  test('is read whole', async () => {
    const { snapshots, rejections, doubted } = await imported(make, [plain])
    expect([snapshots.length, rejections, doubted]).toEqual([make.moments, [], []])
    for (const { chain } of snapshots) expect(chain.size).toBe(18)
  })

  test('gives the same in any order of its rows, from any number of files', async () => {
    const once = outcomeOf(await imported(make, [plain]))
    const split = fc.record({ files: fc.integer({ min: 1, max: 3 }), heldRows: fc.integer({ min: 1, max: 99 }) })
    const order = fc.shuffledSubarray([...make.rows], { minLength: make.rows.length })
    await fc.assert(
      fc.asyncProperty(order, split, async (rows, { files, heldRows }) => {
        const texts = Array.from({ length: files }, (_, k) =>
          textOfMake(
            make,
            plainWriting,
            rows.filter((_, at) => at % files === k)
          )
        )
        expect(outcomeOf(await imported(make, texts, heldRows))).toEqual(once)
      }),
      { numRuns: 10 }
    )
  })

  test('gives the same with any delimiter, line end, form of date and of number', async () => {
    const once = outcomeOf(await imported(make, [plain]))
    await fc.assert(
      fc.asyncProperty(anyWriting, async (writing) => {
        expect(outcomeOf(await imported(make, [textOfMake(make, writing)]))).toEqual(once)
      }),
      { numRuns: 40 }
    )
  })

  test('that is cut off anywhere is refused or told of', async () => {
    const anyCut = fc.record({ writing: anyWriting, share: fc.double({ min: 0, max: 1, noNaN: true }) })
    await fc.assert(
      fc.asyncProperty(anyCut, async ({ writing, share }) => {
        const text = textOfMake(make, writing)
        const cut = text.slice(0, Math.floor(share * text.length))
        const rows = wholeRows(cut, writing)
        if (cut.length === 0 || (rows !== undefined && rows > 0 && rows % make.every === 0)) return
        const taken = await imported(make, [cut])
        const isWhole = taken.snapshots.every(({ chain }) => chain.size === 18)
        const isInFirst = rows !== undefined && rows < Math.min(make.moments, symbols.length) * make.every
        if (taken.snapshots.length === 0 || !isWhole)
          expect(told(taken, isInFirst ? isAlone : isUnended)).toBeGreaterThan(0)
      }),
      { numRuns: 25 }
    )
  })
})

/** Number of rows of a text that ends after a whole one; undefined for another. */
function wholeRows(text: string, { lineEnd }: Writing): number | undefined {
  return text.endsWith(lineEnd) ? text.split(lineEnd).length - 2 : undefined
}

test('a table without a heading is refused, however it is written and wherever it is cut off', async () => {
  const anyTable = fc.record({
    make: fc.constantFrom(...Object.values(makes)),
    writing: anyWriting,
    share: fc.double({ min: 0.02, max: 1, noNaN: true })
  })
  await fc.assert(
    fc.asyncProperty(anyTable, async ({ make, writing, share }) => {
      const text = textOfMake({ ...make, heading: undefined }, writing)
      const { snapshots, rejections } = await imported(make, [text.slice(0, Math.ceil(share * text.length))])
      expect(snapshots).toEqual([])
      expect(rejections.length).toBeGreaterThan(0)
    }),
    { numRuns: 30 }
  )
})

test('missing columns are told before dates that may be read in two ways', async () => {
  const table = 'Date,Listed Until,Price To Pay\n03/05/2024,04/05/2024,12\n'
  const [{ reason }] = (await imported(makes['the names of our fields'], [table])).rejections
  expect(reason).toMatch(/^no column fills symbol, expiration, strike, right/)
})
