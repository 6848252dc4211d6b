import type { ApiOperation } from './api-operation.ts'

/** A tool that reads: its views are the operations of its tags. */
export interface ToolDeclaration {
  readonly name: string
  readonly title: string
  readonly tags: readonly string[]
  /** When to use it, what comes back, and what not to use it for: at most 400 characters. */
  readonly description: string
}

/** The tools whose views are operations, in the order of their list. `find` and `describe` come before them. */
export const declaredTools: readonly ToolDeclaration[] = [
  {
    name: 'market',
    title: 'Quotes, chains and the service',
    tags: ['market-data', 'reference', 'account'],
    description:
      'Price of a stock, fund or index now, its option quotes with greeks, expirations and strikes listed, session hours, quality of the data, known symbols, plan and quota of the caller. stock_summary is an overview. Not for dealer exposure (exposure) or prices over time (history).'
  },
  {
    name: 'exposure',
    title: 'Dealer exposure and key levels',
    tags: ['exposure'],
    description:
      'Dealer gamma, delta, vanna and charm exposure (USD; gamma for a 1 % move), gamma flip, call and put wall, magnet, max pain, 0DTE, open interest changes, by strike and expiration. levels for the levels, summary for totals and regime, explain for what a number rests on. From settled open interest: with today’s trades use flow.'
  },
  {
    name: 'flow',
    title: 'Flow of the session and its tape',
    tags: ['flow'],
    description:
      'What traded today and what it did to dealer positions: live gamma, levels and pin risk on estimated positions, 0DTE through the session, option and stock prints, blocks, sweeps, net premium, leaderboards and outliers. Volumes in contracts or shares, premium in USD. Settled exposure is in the tool exposure.'
  },
  {
    name: 'volatility',
    title: 'Implied and realized volatility',
    tags: ['volatility'],
    description:
      'Implied and realized volatility, skew, term structure, surfaces and fitted smiles, forecasts, expected move, volatility risk premium (VRP), liquidity, correlation and dispersion, VIX regime. Volatilities are fractions (0.18 is 18 %) unless units say percent. For one contract’s implied volatility use price.'
  },
  {
    name: 'strategies',
    title: 'Strategy signals',
    tags: ['strategies'],
    description:
      'Signals that score a trade idea from 0 to 100 and propose structures with legs and credit: iron condor in a pinned regime, skew, tail hedges, 0DTE range, covered calls, carry of volatility, flow anomaly, iron fly at max pain. Each says decision, score, confidence and why.'
  },
  {
    name: 'earnings',
    title: 'Company reports',
    tags: ['earnings'],
    description:
      'Company reports: calendar of upcoming ones, implied move of the next, past surprises and moves, fall of volatility (IV crush), premium over past moves, dealer positioning around it, suitable structures, ranked screens. About the present only: at is not taken.'
  },
  {
    name: 'history',
    title: 'Prices and figures over time',
    tags: ['insight'],
    description:
      'Over time: bars for open, high, low, close and volume of a symbol, series for figures such as net_gex, gamma_flip, call_wall, atm_iv through a session or over a year. Rows are oldest first; brief shows the newest. For one past moment ask any other tool with at.'
  },
  {
    name: 'price',
    title: 'Option calculator',
    tags: ['pricing', 'structures'],
    description:
      'Calculator on numbers that you give: price and greeks of an option, implied volatility of a price, Kelly size, profit and loss and greeks of a structure of up to 100 legs. Volatility is a fraction, dte in days. For quotes of listed options use market.'
  },
  {
    name: 'screen',
    title: 'Screener',
    tags: ['screener'],
    description:
      'Which symbols meet conditions: filters, ranks and projects all loaded symbols. Use where instead of asking symbol by symbol, for example where "atm_iv > 25 and regime = negative_gamma". screener_fields lists what can be filtered. About the present only.'
  },
  {
    name: 'alerts',
    title: 'Alerts of the caller',
    tags: ['alerts'],
    description:
      'Alerts that the caller has set: the list with the newest value of each, one alert, and events that fired in the last 30 days. Where the service allows writing, also create, change and remove. Never about the market.'
  }
]

/** Operations that no tool offers, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  'exposure.history': 'daily exposures are in history: series, which takes every step and field'
}

/** A word of `view` and the operation that it asks. */
export interface View {
  readonly word: string
  readonly operation: ApiOperation
}

export interface Tool extends ToolDeclaration {
  readonly views: readonly View[]
}

/** The tool that offers an operation; undefined if none does. */
export function toolNameOf({ id, tag, tool }: Pick<ApiOperation, 'id' | 'tag' | 'tool'>): string | undefined {
  if (Object.hasOwn(leftOut, id)) return undefined
  return tool ?? declaredTools.find(({ tags }) => tags.includes(tag))?.name
}

/** Groups operations into tools. A tool without any is left out. */
export function toolsOf(operations: readonly ApiOperation[]): readonly Tool[] {
  return declaredTools
    .map((declared) => {
      const own = operations.filter((operation) => toolNameOf(operation) === declared.name)
      return { ...declared, views: own.map((operation) => ({ word: wordOf(operation, declared.name), operation })) }
    })
    .filter(({ views }) => views.length > 0)
}

/** The id in one word, without what the name of the tool says: exposure.max_pain is max_pain in the tool exposure. */
function wordOf({ id }: ApiOperation, tool: string): string {
  const parts = id.split('.').filter((part) => part !== 'current')
  return (parts.length > 1 && parts[0] === tool ? parts.slice(1) : parts).join('_')
}
