import type { StrikeColumn } from '../../market/strike-sums.ts'
import { apiError } from '../error.ts'
import { andThen } from '../maybe-promise.ts'
import type { Input } from './input.ts'

/** The figure by strike over the session that the endpoint declares; undefined where the request asks for none. */
export const strikeColumns: Input<
  readonly StrikeColumn[] | undefined,
  { readonly columns: readonly StrikeColumn[] | undefined } | undefined
> = {
  kind: 'market',
  moves: true,
  find: ({ symbols: [symbol], chain, endpoint, params, request: { source } }) => {
    const wanted = chain && endpoint.strikesRead(params as never, chain.asOf)
    if (wanted === undefined) return undefined
    return andThen(source.strikes({ symbol, ...wanted }), (columns) => ({ columns }))
  },
  value: (found) => found?.columns,
  version: (found) => (found?.columns ?? []).map(({ asOf }) => asOf).join(' '),
  refuse(found, { symbols: [symbol] }) {
    if (found === undefined) return
    if (found.columns === undefined)
      throw apiError('no_data', 'this service keeps no history, so there is no course of a day')
    if (found.columns.length === 0) throw apiError('no_data', `nothing was recorded of ${symbol} in this session`)
  },
  errors: () => ['no_data']
}
