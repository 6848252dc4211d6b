import type { Connector } from '../../src/connectors/port/connector.ts'
import type { ConnectorDeclaration, ConnectorUse } from '../../src/connectors/port/declaration.ts'
import type { ConnectorSettings } from '../../src/connectors/port/setting.ts'
import { parseWholeNumber } from '../../src/connectors/port/setting-text.ts'
import type { DailyBar } from '../../src/market/bar.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'

/** A bar of a date at one price. */
export function barOf(date: string, price: number): DailyBar {
  return { date: date as IsoDate, open: price, high: price, low: price, close: price, volume: 1000 }
}

/** A connector that knows only SPY, with some bars and without options. */
export function plainConnector(name: string, bars: readonly DailyBar[] = []): Connector {
  return {
    name,
    synthetic: false,
    provides: ['chains', 'bars'],
    terms: `Terms of ${name}.`,
    pace: 1000,
    universe: [],
    tickers: ['SPY' as Ticker],
    fixedAt: undefined,
    latest: (now) => now,
    chain: async () => undefined,
    holdsPast: false,
    closingChain: async () => undefined,
    dailyBars: async () => bars
  }
}

const settings = {
  'quiver-token': { value: 'key', help: 'key of the account', parse: (text: string) => text, expected: 'a key' },
  'quiver-days': {
    value: 'count',
    help: 'days of bars to fetch',
    fallback: '30',
    parse: parseWholeNumber(1, 100),
    expected: 'a whole number from 1 to 100'
  }
} as const satisfies ConnectorSettings

/** Arguments with which a declared connector was created. */
export interface Creation extends ConnectorUse {
  readonly values: unknown
}

/** A connector that supplies only daily bars, declared as a vendor's own folder would declare it. */
export function quiver(created: Creation[] = []): ConnectorDeclaration<typeof settings> {
  return {
    name: 'quiver',
    provides: ['bars'],
    synthetic: false,
    terms: 'Terms of quiver.',
    settings,
    refusal: ({ 'quiver-token': token }) => (token === undefined ? 'quiver needs --quiver-token' : undefined),
    async create(values, use) {
      created.push({ ...use, values })
      return plainConnector('quiver', [barOf('2026-07-27', 98), barOf('2026-07-28', 99), barOf('2026-07-29', 100)])
    }
  }
}
