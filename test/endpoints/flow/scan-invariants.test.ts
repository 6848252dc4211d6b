import { expect } from 'vitest'
import { MILLISECONDS_PER_MINUTE } from '../../../src/market/units.ts'
import { plainWindow } from '../../support/plain-tape.ts'
import type { TapeMarket } from '../../support/tape-market.ts'
import { expectRounded, neverRises, type Proofs, proveOverTapes } from './proofs.ts'

interface Leader {
  readonly symbol: string
  readonly netVolume: number
  readonly netNotional: number
  readonly buyVolume: number
  readonly sellVolume: number
  readonly tradeCount: number
  readonly avgPremium?: number
  readonly vwap?: number
}
interface Leaderboard {
  readonly generatedUtc: string
  readonly n: number
  readonly buyers: readonly Leader[]
  readonly sellers: readonly Leader[]
}
interface Outlier extends Leader {
  readonly midVolume: number
  readonly imbalancePct: number
  readonly skew: string
  readonly notional: number
  readonly biggestAgeSec: number
  readonly lastTradeAgeSec: number
  readonly lastTradeUtc: string | null
}
interface Outliers {
  readonly generatedUtc: string
  readonly tracked: number
  readonly qualified: number
  readonly limit: number
  readonly windowMinutes: number
  readonly outliers: readonly Outlier[]
}

const windows = [{}, { windowMinutes: '1' }, { windowMinutes: '120' }, { windowMinutes: '99999' }]
const counts = (name: string) =>
  ['1', '2', '0', '999'].flatMap((count) => windows.map((window) => ({ ...window, [name]: count })))

/** Every window of a kind, from the prints themselves. */
function windowsOf({ now, tapes }: TapeMarket, kind: 'option' | 'stock', minutes: number) {
  const from = MILLISECONDS_PER_MINUTE * (Math.floor(now / MILLISECONDS_PER_MINUTE) - minutes)
  const ofKind = tapes.filter((tape) => tape.kind === kind)
  const symbols = [...new Set(ofKind.map(({ symbol }) => symbol))]
  return symbols.flatMap(
    (symbol) =>
      plainWindow(
        ofKind.filter((tape) => tape.symbol === symbol),
        from
      ) ?? []
  )
}
const minutesOf = (query: Readonly<Record<string, string>>) => Math.min(10_080, Number(query['windowMinutes'] ?? 240))

const nets = (rows: readonly Leader[]) => rows.map(({ netNotional }) => netNotional)
const leaderboard = (price: 'avgPremium' | 'vwap', multiplier: number): Proofs<Leaderboard> => ({
  'len(buyers) <= n': ({ buyers, n }, { query }) => {
    expect(n).toBe(Math.min(50, Math.max(1, Number(query['n'] ?? 10))))
    expect(buyers.length).toBeLessThanOrEqual(n)
  },
  'len(sellers) <= n': ({ sellers, n }) => expect(sellers.length).toBeLessThanOrEqual(n),
  [`netNotional ~= netVolume*${price}${multiplier === 1 ? '' : `*${multiplier}`}`]: ({ buyers, sellers }) => {
    for (const row of [...buyers, ...sellers]) {
      const shown = row.netVolume * row[price]! * multiplier
      // The price is shown with four decimals.
      const slack = 0.005 + 0.00005 * multiplier * Math.abs(row.netVolume)
      expect(Math.abs(row.netNotional - shown)).toBeLessThanOrEqual(slack + 1e-9 * Math.abs(shown))
    }
  },
  'buyers sorted desc, sellers sorted asc': ({ buyers, sellers }) => {
    expect(neverRises(nets(buyers))).toBe(true)
    expect(neverRises(nets(sellers).map((net) => -net))).toBe(true)
    expect(buyers.every(({ netVolume }) => netVolume > 0)).toBe(true)
    expect(sellers.every(({ netVolume }) => netVolume < 0)).toBe(true)
  },
  'own: every symbol with net money and a price is on its side': ({ buyers, sellers, n }, { market, query }) => {
    const priced = windowsOf(market, multiplier === 1 ? 'stock' : 'option', minutesOf(query)).filter(
      ({ pricedSize }) => pricedSize > 0
    )
    const count = (sign: number) => priced.filter(({ bought, sold }) => sign * (bought - sold) > 0).length
    expect(buyers.length).toBe(Math.min(n, count(1)))
    expect(sellers.length).toBe(Math.min(n, count(-1)))
  },
  'own: the moment of the answer is that of the sums': ({ generatedUtc }, { market }) =>
    expect(Date.parse(generatedUtc)).toBe(market.now)
})

proveOverTapes<Leaderboard>('/v1/flow/options/leaderboard', counts('n'), {
  ...leaderboard('avgPremium', 100),
  'netVolume == buyVolume - sellVolume': ({ buyers, sellers }) => {
    for (const row of [...buyers, ...sellers]) expect(row.netVolume).toBe(row.buyVolume - row.sellVolume)
  }
})
proveOverTapes('/v1/flow/stocks/leaderboard', counts('n'), leaderboard('vwap', 1))

const asked = [...counts('limit'), { minTrades: '1' }, { minTrades: '-3' }, { minTrades: '5', windowMinutes: '10080' }]
const outliers = (kind: 'option' | 'stock', multiplier: number): Proofs<Outliers> => ({
  'qualified <= tracked': ({ qualified, tracked, windowMinutes }, { market, query }) => {
    expect(windowMinutes).toBe(minutesOf(query))
    expect(tracked).toBe(windowsOf(market, kind, windowMinutes).length)
    expect(qualified).toBeLessThanOrEqual(tracked)
  },
  'len(outliers) == min(limit, qualified)': ({ outliers: rows, limit, qualified }) =>
    expect(rows.length).toBe(Math.min(limit, qualified)),
  'sorted by abs(netNotional) desc': ({ outliers: rows }) => expect(neverRises(nets(rows).map(Math.abs))).toBe(true),
  '0 <= imbalancePct <= 100': ({ outliers: rows }) => {
    for (const { imbalancePct, buyVolume, sellVolume } of rows) {
      expect(imbalancePct).toBeGreaterThanOrEqual(0)
      expect(imbalancePct).toBeLessThanOrEqual(100)
      expectRounded(imbalancePct, (100 * Math.abs(buyVolume - sellVolume)) / (buyVolume + sellVolume), 4)
    }
  },
  'skew side matches the sign of netVolume unless FLAT': ({ outliers: rows }) => {
    for (const { skew, netVolume } of rows) {
      if (skew !== 'FLAT') expect(skew.endsWith('BUY')).toBe(netVolume > 0)
    }
  },
  'netVolume == buyVolume - sellVolume': ({ outliers: rows }) => {
    for (const row of rows) expect(row.netVolume).toBe(row.buyVolume - row.sellVolume)
  },
  'own: rows are the sums of the prints of their window': ({ outliers: rows, windowMinutes }, { market }) => {
    const windowsBySymbol = new Map(windowsOf(market, kind, windowMinutes).map((one) => [one.symbol as string, one]))
    for (const row of rows) {
      const { trades, other, money, unit, newest, biggestAt } = windowsBySymbol.get(row.symbol)!
      expect(row).toMatchObject({ tradeCount: trades, midVolume: other })
      expectRounded(row.notional, money * unit * multiplier, 2)
      expect(row.lastTradeAgeSec).toBe(Math.floor((market.now * 1000 - newest) / 1e6))
      expect(row.biggestAgeSec).toBe(Math.floor((market.now * 1000 - biggestAt) / 1e6))
      expect(Date.parse(row.lastTradeUtc!)).toBe(Math.floor(newest / 1000))
    }
  }
})
proveOverTapes('/v1/flow/options/outliers', asked, outliers('option', 100))
proveOverTapes('/v1/flow/stocks/outliers', asked, outliers('stock', 1))
