import type { Inputs } from '../../src/api/inputs/inputs.ts'
import type { Chain } from '../../src/market/chain.ts'
import { easternDate } from '../../src/market/eastern.ts'
import { memoize } from '../../src/market/memoize.ts'
import { MULTI_LEG, SETS_NO_PRICE, type TapeKind } from '../../src/market/print.ts'
import type { ListedSeries } from '../../src/market/series.ts'
import { MILLISECONDS_PER_MINUTE } from '../../src/market/units.ts'
import { jumbled } from './hand-made.ts'
import { type PlainPrint, type PlainTape, plainViews, plainWindow } from './plain-tape.ts'

const PRINTS = 120
const sides = ['buy', 'sell', 'mid'] as const

/** Tapes over the contracts of a chain and its underlying in the hour before its moment, as answers are given them. */
export const tapesOf = memoize((chain: Chain) => {
  const { asOf, symbol } = chain
  const made = (kind: TapeKind): PlainTape => ({
    ...{ symbol, kind, session: easternDate(asOf), series: seriesOf(chain) },
    prints: Array.from({ length: PRINTS }, (_, k) => printOf(chain, kind, k))
  })
  const [option, stock] = [made('option'), made('stock')]
  const [options, stocks] = [plainViews(option), plainViews(stock)]
  const windowOf = (tape: PlainTape) => ({
    ...({ at: asOf, source: 'recorded', silent: false } as const),
    totals: [plainWindow([tape], asOf - 60 * MILLISECONDS_PER_MINUTE)!]
  })
  return {
    anyQuote: chain,
    optionTotals: options.totals,
    optionPrints: options.prints,
    optionBlocks: options.blocks,
    optionMinutes: [options.minutes],
    optionWindow: windowOf(option),
    stockTotals: stocks.totals,
    stockPrints: stocks.prints,
    stockBlocks: stocks.blocks,
    stockMinutes: [stocks.minutes],
    stockSeconds: stocks.seconds,
    stockWindow: windowOf(stock),
    minute: MILLISECONDS_PER_MINUTE * Math.floor(asOf / MILLISECONDS_PER_MINUTE),
    second: 1000 * Math.floor(asOf / 1000)
  } satisfies Partial<Inputs>
})

function seriesOf({ expirations, strike, right }: Chain): readonly ListedSeries[] {
  return expirations.flatMap(({ date, root, settlement, start, end }) =>
    Array.from({ length: Math.min(end - start, 5) }, (_, k) => ({
      ...{ date, root, settlement, strike: strike[start + k], right: right[start + k] },
      adjusted: false
    }))
  )
}

/** One print each half minute, the newest of them last. */
function printOf(chain: Chain, kind: TapeKind, k: number): PlainPrint {
  const price = 100 + jumbled(k, 1, 90_000)
  const quote = jumbled(k, 2, 3) === 0 ? {} : { bid: price - 50, ask: price + 50 }
  const isMarked = jumbled(k, 3, 9) === 0
  return {
    ts: 1000 * (chain.asOf - 30_000 * (PRINTS - k)),
    price,
    size: 1 + jumbled(k, 4, kind === 'option' ? 200 : 20_000),
    side: isMarked ? 'mid' : sides[jumbled(k, 5, 3)],
    instrument: kind === 'stock' ? 0 : jumbled(k, 6, seriesOf(chain).length),
    flags: isMarked ? (kind === 'stock' ? SETS_NO_PRICE : MULTI_LEG) : 0,
    ...quote
  }
}
