import { readSymbol, securityKind } from '../../market/security.ts'
import type { Ticker } from '../../market/units.ts'
import { chartResolutions } from './resolutions.ts'

/** A figure over time that is also a symbol of the chart, with its unit and decimals as the API declares them. */
export interface ChartFigure {
  readonly name: string
  readonly unit: string
  readonly decimals: number
}

/** What a chart asks about: a symbol's price, or one of its figures. */
export interface ChartSymbol {
  readonly symbol: Ticker
  readonly figure: ChartFigure | undefined
}

const EXCHANGE = 'gammawall'
const types = { equity: 'stock', etf: 'fund', index: 'index' } as const
const FIGURE_TYPE = 'figure'

/** Types by which a chart may filter its search. */
export const symbolTypes = [
  { name: 'All', value: '' },
  { name: 'Stocks', value: types.equity },
  { name: 'Funds', value: types.etf },
  { name: 'Indexes', value: types.index },
  { name: 'Figures of options', value: FIGURE_TYPE }
]

/** Reads a name such as `SPY` or `SPY:gamma_flip`, with or without the exchange; undefined if it is neither. */
export function readChartSymbol(text: string, figures: readonly ChartFigure[]): ChartSymbol | undefined {
  const parts = text.trim().split(':')
  if (parts.length > 1 && parts[0].toLowerCase() === EXCHANGE) parts.shift()
  const [ticker, name, ...rest] = parts
  const symbol = readSymbol(ticker)
  if (symbol === undefined || rest.length > 0) return undefined
  const figure = name === undefined ? undefined : figures.find((one) => one.name === name.toLowerCase())
  return name !== undefined && figure === undefined ? undefined : { symbol, figure }
}

const nameOf = ({ symbol, figure }: ChartSymbol) => (figure === undefined ? symbol : `${symbol}:${figure.name}`)
const descriptionOf = ({ symbol, figure }: ChartSymbol) =>
  figure === undefined ? symbol : `${symbol} ${figure.name.replace(/[._]/g, ' ')} (${figure.unit})`
const typeOf = ({ symbol, figure }: ChartSymbol) => (figure === undefined ? types[securityKind(symbol)] : FIGURE_TYPE)

/** Units that grow so large that a chart should write them with K, M and B. */
const largeUnits = ['usd', 'usd-notional', 'contracts']

/** The description of a symbol that a chart needs before it asks for bars. */
export function symbolInfo(one: ChartSymbol) {
  const { figure } = one
  const isLarge = figure !== undefined && largeUnits.includes(figure.unit)
  const isPrice = figure === undefined || figure.unit === 'price'
  return {
    name: nameOf(one),
    ticker: nameOf(one),
    full_name: `${EXCHANGE}:${nameOf(one)}`,
    description: descriptionOf(one),
    type: typeOf(one),
    exchange: EXCHANGE,
    listed_exchange: EXCHANGE,
    session: '0930-1600',
    timezone: 'America/New_York',
    format: isLarge ? 'volume' : 'price',
    minmov: 1,
    pricescale: isPrice ? 100 : isLarge ? 1 : 10 ** figure.decimals,
    has_intraday: true,
    intraday_multipliers: chartResolutions.flatMap(({ minutes }) => (minutes === undefined ? [] : [String(minutes)])),
    has_daily: true,
    has_weekly_and_monthly: true,
    weekly_multipliers: ['1'],
    supported_resolutions: chartResolutions.map(({ name }) => name),
    visible_plots_set: figure === undefined ? 'ohlcv' : 'c',
    volume_precision: 0,
    data_status: 'streaming'
  }
}

/**
 * Symbols that match what a user types: tickers that begin with it, and the figures of the ticker that it names. After a
 * colon it filters the figures.
 */
export function foundSymbols(
  text: string,
  { type, limit }: { readonly type: string; readonly limit: number },
  tickers: readonly string[],
  figures: readonly ChartFigure[]
) {
  const [ticker, part] = text.trim().split(':')
  const wanted = ticker.toUpperCase()
  const beginning = part === undefined ? tickers.filter((one) => one.startsWith(wanted)) : []
  const named = readSymbol(ticker)
  const ofNamed = named === undefined ? [] : figures.filter(({ name }) => name.includes((part ?? '').toLowerCase()))
  const all: readonly ChartSymbol[] = [
    ...beginning
      .toSorted((a, b) => a.length - b.length)
      .map((symbol) => ({ symbol: symbol as Ticker, figure: undefined })),
    ...(tickers.includes(named ?? '') ? ofNamed.map((figure) => ({ symbol: named!, figure })) : [])
  ]
  return all
    .filter((one) => type === '' || typeOf(one) === type)
    .slice(0, limit)
    .map((one) => ({
      symbol: nameOf(one),
      ticker: nameOf(one),
      full_name: `${EXCHANGE}:${nameOf(one)}`,
      description: descriptionOf(one),
      exchange: EXCHANGE,
      type: typeOf(one)
    }))
}
