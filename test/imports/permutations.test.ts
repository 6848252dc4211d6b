import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChainTableOptions, importChains } from '../../src/imports/chains/import-chains.ts'
import { folderWith, noParquet, type Taken, take } from './take.ts'

// Tables of any make: several symbols, moments and files, values that are missing, rows that repeat others, contradict
// them or cannot be used. The order of their rows changes nothing.

const heading = 'symbol,date,time,expiration,strike,right,bid,ask,last,volume,open_interest,underlying_price'

function imported(files: Readonly<Record<string, string>>, more: Partial<ChainTableOptions> = {}): Promise<Taken> {
  const archive = { bars: async () => [], writeTableText: noParquet }
  const options = { columns: undefined, symbol: undefined, archive, ...more }
  return take((writer) => importChains([folderWith(files)], options, writer))
}

const clocks = ['10:00', '12:30:00', '15:59', '16:00', '16:10', '16:15:00', '08:00', ''] as const
const spots: Readonly<Record<string, number>> = { KO: 100, SPX: 5000, PEP: 170 }

interface Made {
  readonly symbol: string
  readonly date: string
  readonly clock: string
  readonly strikes: readonly number[]
  readonly expirations: readonly string[]
  readonly step: number
}

const chain = fc.record<Made>({
  symbol: fc.constantFrom(...Object.keys(spots)),
  date: fc.constantFrom('2024-03-04', '2024-03-05', '2024-03-06', '2024-03-09'),
  clock: fc.constantFrom(...clocks),
  strikes: fc.subarray([80, 90, 95, 100, 105, 110, 120], { minLength: 1 }),
  expirations: fc.subarray(['2024-03-08', '2024-03-15', '2024-04-19', '2024-03-05'], { minLength: 1 }),
  step: fc.nat(3)
})

function rowsOf({ symbol, date, clock, strikes, expirations, step }: Made): readonly string[] {
  const spot = spots[symbol] + step
  return expirations.flatMap((expiration) =>
    strikes.flatMap((share, k) =>
      ['C', 'P'].map((right, side) => {
        const strike = (spots[symbol] * share) / 100
        const worth = 1 + Math.max(0, right === 'C' ? spot - strike : strike - spot)
        const gap = (k + side + step) % 5 === 0
        const figures = [gap ? '' : worth.toFixed(2), (worth + 0.1).toFixed(2), '', gap ? '' : k, 100 + k + step]
        return [symbol, date, clock, expiration, strike, right, ...figures, spot].join()
      })
    )
  )
}

/**
 * Changes that make rows repeat, contradict or refuse others. A row without a symbol, the last one, belongs to the moment of
 * the row before it, so its place does not count only in a file of one moment.
 */
const oddities: readonly ((row: string) => string)[] = [
  (row) => row,
  (row) => row.replace(/,[^,]*,[^,]*$/, ',777,100'),
  (row) => row.replace(/[^,]*$/, (spot) => String(1.02 * Number(spot))),
  (row) => row.replace(/,(C|P),/, ',X,'),
  (row) => row.replace(/^[A-Z]+,/, 'SPXW,'),
  (row) => row.replace(/^[A-Z]+/, '')
]
const NAMELESS = oddities.length - 1

/** Everything of an import that the order of rows must not change. */
function outcomeOf({ snapshots, doubted, rejections, tally }: Taken, files: number) {
  const chains = snapshots.map(({ chain, missing }) => [
    chain.symbol,
    chain.asOf,
    chain.spot,
    chain.quote,
    missing,
    chain.expirations,
    [chain.strike, chain.right, chain.bid, chain.ask, chain.last, chain.volume, chain.openInterest].map((c) => [...c])
  ])
  const aside = doubted.flatMap((text) => text.split('\n')).sort()
  // Each of several files without any use is named, which depends on how the rows are spread over them.
  const ofRows = rejections.filter(({ reason }) => files === 1 || !reason.startsWith('none of its rows is used'))
  const reasons = ofRows.map(
    ({ kind, outcome, reason }) => `${outcome} ${kind} ${reason.replaceAll(/lines? [\d and]+/g, '')}`
  )
  const rejected = tally.rejected - (rejections.length - ofRows.length)
  return { chains, aside, reasons: reasons.sort(), tally: { ...tally, rejected } }
}

test('the order of rows, files and memory never changes the outcome', async () => {
  const made = fc.record({
    chains: fc.array(chain, { minLength: 1, maxLength: 6 }),
    odd: fc.array(fc.tuple(fc.nat(), fc.nat(oddities.length - 1)), { maxLength: 4 }),
    seed: fc.nat(),
    files: fc.integer({ min: 1, max: 3 }),
    heldRows: fc.integer({ min: 1, max: 200 })
  })
  await fc.assert(
    fc.asyncProperty(made, async ({ chains, odd, seed, files, heldRows }) => {
      const rows = chains.flatMap(rowsOf)
      const isOneMoment = chains.length === 1 && files === 1
      for (const [at, kind] of odd) {
        if (kind !== NAMELESS || isOneMoment) rows.push(oddities[kind](rows[at % rows.length]))
      }
      const inFiles = (order: readonly string[], count: number) =>
        Object.fromEntries(
          Array.from({ length: Math.min(count, order.length) }, (_, k) => {
            const part = order.filter((_, at) => at % count === k)
            return [`${k}.csv`, `${[heading, ...part].join('\n')}\n`]
          })
        )
      const once = outcomeOf(await imported({ 'a.csv': `${[heading, ...shuffled(rows, 1)].join('\n')}\n` }), files)
      const again = outcomeOf(await imported(inFiles(shuffled(rows, seed), files), { heldRows }), files)
      expect(again).toEqual(once)
    }),
    { numRuns: 25 }
  )
})

function shuffled(rows: readonly string[], seed: number): readonly string[] {
  const left = [...rows]
  let state = seed + 1
  for (let i = left.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const j = state % (i + 1)
    const row = left[i]
    left[i] = left[j]
    left[j] = row
  }
  return left
}
