import { ApiError } from '../../api/error.ts'
import { expirationSetParameters } from '../../api/expiration-filter.ts'
import { readRequest } from '../../api/request-params.ts'
import type { MetricParams } from '../../api/stream-frames.ts'
import { readSymbol } from '../../market/security.ts'
import type { IsoDate } from '../../market/units.ts'
import { CommandError } from '../protocol/command-error.ts'
import type { Operation } from './operation.ts'

/** Stands in place of a symbol in operations about the whole market. */
export const WHOLE_MARKET = '_MARKET'

/** An operation with its symbol and parameters. All subscriptions to one query share its responses. */
export interface StreamQuery {
  readonly operation: Operation
  /** Ticker in upper case, or `_MARKET` for the whole market. */
  readonly symbol: string
  /** Parameters as the client wrote them, sorted by name. */
  readonly params: MetricParams
  readonly key: string
  /** Text that tells sets of expirations apart; empty without one. */
  readonly expirationSet: string
}

/** Builds a query, or returns the error of a wrong symbol. Parameters are checked later, by `readParams`. */
export function queryOf(operation: Operation, symbol: string, params: MetricParams): StreamQuery | CommandError {
  const wholeMarket = operation.symbolParameter === undefined
  if (wholeMarket !== (symbol.toUpperCase() === WHOLE_MARKET)) {
    const advice = wholeMarket ? `is about the whole market: its symbol is ${WHOLE_MARKET}` : 'needs a ticker'
    return new CommandError('symbol_not_found', `${operation.prefix} ${advice}`)
  }
  const ticker = wholeMarket ? WHOLE_MARKET : readSymbol(symbol)
  if (ticker === undefined) return new CommandError('symbol_not_found', 'a ticker is 1 to 10 of A-Z 0-9 . - ^ =')
  const sorted = Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)))
  const written = Object.entries(sorted).map(([name, value]) => {
    const text = `${value}`
    return { name, text: `${name}=${JSON.stringify(operation.endpoint.params[name]?.canonical?.(text) ?? text)}` }
  })
  const joined = (parts: typeof written) => parts.map(({ text }) => text).join('&')
  return {
    operation,
    symbol: ticker,
    params: sorted,
    key: `${operation.prefix} ${ticker} ${joined(written)}`,
    expirationSet: joined(written.filter(({ name }) => name in expirationSetParameters))
  }
}

/**
 * Parses and checks the parameters of a query; returns the error of the first wrong one. `today` resolves relative
 * dates.
 */
export function readParams(
  { operation, symbol, params }: StreamQuery,
  today: IsoDate
): Readonly<Record<string, unknown>> | CommandError {
  const { endpoint, symbolParameter, parameters, needsAllParameters } = operation
  const unknown = Object.keys(params).find((name) => !parameters.includes(name))
  if (unknown !== undefined) {
    const known = parameters.length === 0 ? 'none' : parameters.join(', ')
    return new CommandError('invalid_params', `${operation.prefix} takes these parameters: ${known}`)
  }
  const missing = needsAllParameters ? parameters.find((name) => params[name] === undefined) : undefined
  if (missing !== undefined) return new CommandError('invalid_params', `params must give ${parameters.join(', ')}`)
  const path = symbolParameter === undefined ? {} : { [symbolParameter]: symbol }
  const query = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  try {
    const values = readRequest(endpoint, path, query, { today })
    endpoint.check(values as never)
    return values
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return new CommandError(error.status === 404 ? 'symbol_not_found' : 'invalid_params', error.message)
  }
}
