import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importChains } from '../../src/imports/chains/import-chains.ts'
import { folderWith, noParquet, type Taken, take } from './take.ts'
import { zipOf } from './zip-file.ts'

// Files of several makes that end too early, as a download or a full disk leaves them: nothing that is incomplete is
// written without a word.

const dates = ['2024-03-04', '2024-03-05', '2024-03-06', '2024-03-07']
const symbols = ['KO', 'PEP']
const strikes = [80, 85, 90, 95, 100, 105, 110, 115, 120]
const contracts = dates.flatMap((date) =>
  symbols.flatMap((symbol) =>
    strikes.flatMap((strike) =>
      ['C', 'P'].map((right) => {
        const worth = 1 + Math.max(0, right === 'C' ? 100 - strike : strike - 100)
        return {
          symbol,
          date,
          expiration: '2024-04-19',
          strike,
          right,
          bid: worth,
          ask: worth + 0.1,
          open_interest: 900
        }
      })
    )
  )
)
const names = [...Object.keys(contracts[0]), 'underlying_price']
const rows = contracts.map((contract) => [...Object.values(contract), 100])
const csv = [names, ...rows].map((row) => `${row.join()}\n`).join('')
const calls = contracts.filter(({ right }) => right === 'C')
const orats = [
  'ticker,trade_date,expirDate,strike,stkPx,cBidPx,cAskPx,cVolu,cOi,pBidPx,pAskPx,pVolu,pOi',
  ...calls.map((call) =>
    [call.symbol, call.date, call.expiration, call.strike, 100, call.bid, call.ask, 1, 900, 1, 1.1, 2, 800].join()
  )
].map((line) => `${line}\n`)
const objects = contracts.map((contract) => ({ ...contract, underlying_price: 100 }))

interface Make {
  readonly file: string
  readonly bytes: Buffer
  /** Rows of one moment; undefined if a cut cannot fall between two rows of a text that is read. */
  readonly every: number | undefined
}

const makes: Readonly<Record<string, Make>> = {
  'a table': { file: 'a.csv', bytes: Buffer.from(csv), every: 18 },
  'a table of calls and puts in one row': { file: 'a.csv', bytes: Buffer.from(orats.join('')), every: 9 },
  'a table with tabs and old line ends': {
    file: 'a.txt',
    bytes: Buffer.from(csv.replaceAll(',', '\t').replaceAll('\n', '\r')),
    every: 18
  },
  'lines of JSON': {
    file: 'a.jsonl',
    bytes: Buffer.from(objects.map((row) => `${JSON.stringify(row)}\n`).join('')),
    every: 18
  },
  'a document of JSON': { file: 'a.json', bytes: Buffer.from(JSON.stringify(objects)), every: undefined },
  'a gzip': { file: 'a.csv.gz', bytes: gzipSync(csv), every: undefined },
  'a zip': { file: 'a.zip', bytes: zipOf({ 'a.csv': csv }), every: undefined }
}

function imported(file: string, bytes: Buffer): Promise<Taken> {
  const archive = { bars: async () => [], writeTableText: noParquet }
  const options = { columns: undefined, symbol: undefined, archive }
  return take((writer) => importChains([folderWith({ [file]: bytes })], options, writer))
}

/** The notes that say that a symbol has a single moment, which nothing can be compared with. */
const isAlone = (note: Taken['notes'][number]) => note.kind === 'understood' && /nothing tells of it/.test(note.text)
const isUnended = (note: Taken['notes'][number]) => note.kind === 'understood' && /no line break/.test(note.text)

test.each(Object.entries(makes))('%s that is cut off anywhere is refused or told of', async (_, make) => {
  const { file, bytes, every } = make
  const full = await imported(file, bytes)
  expect([full.snapshots.length, full.rejections]).toEqual([8, []])
  const sizes = new Map(full.snapshots.map(({ chain }) => [`${chain.symbol} ${chain.asOf}`, chain.size]))
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: bytes.length - 1 }), async (at) => {
      const rows = every === undefined ? undefined : wholeRows(bytes.subarray(0, at), file.endsWith('l') ? 0 : 1)
      if (rows !== undefined && rows > 0 && rows % every! === 0) return
      const { snapshots, rejections, tally, notes } = await imported(file, bytes.subarray(0, at))
      const isWhole = snapshots.every(({ chain }) => sizes.get(`${chain.symbol} ${chain.asOf}`) === chain.size)
      const isInFirst = rows !== undefined && rows < symbols.length * every!
      const said =
        rejections.length + tally.doubted + tally.marked + notes.filter(isInFirst ? isAlone : isUnended).length
      if (snapshots.length === 0 || !isWhole) expect(said, `${at}`).toBeGreaterThan(0)
    }),
    { numRuns: 25 }
  )
})

/** Number of rows of a text that ends after a whole one; undefined for another. */
function wholeRows(bytes: Buffer, heading: number): number | undefined {
  const text = bytes.toString('utf8')
  return /[\r\n]$/.test(text) ? text.split(/[\r\n]/).length - 1 - heading : undefined
}
