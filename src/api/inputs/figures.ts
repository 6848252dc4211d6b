import type { FigureColumns } from '../../market/figure-row.ts'
import { parentOfRoot } from '../../market/security.ts'
import type { StrikeColumn } from '../../market/strike-sums.ts'
import { versionOf } from '../../market/versions.ts'
import { apiError } from '../error.ts'
import type { Input, SubjectContext } from './input.ts'

/** Figures of the symbol over the period that the endpoint declares; at least one row. */
export const figures: Input<FigureColumns, FigureColumns | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ symbols: [symbol], market, request: { source }, chain, endpoint, params }) => {
    const present = { asOf: chain!.asOf, now: source.now() } // the chain is the subject and was found before
    return market.figures({ symbol, ...endpoint.figuresRead!(params as never, present) })
  },
  value: (found) => found!,
  version: (found) => (found === undefined ? '' : versionOf(found)),
  refuse: (found, context) => {
    if (found === undefined || found.t.length === 0) throw apiError('no_data', whyNone(found, context))
  },
  errors: () => ['no_data', 'history_damaged']
}

function whyNone(found: FigureColumns | undefined, { symbols: [symbol] }: SubjectContext): string {
  if (found === undefined) return 'this service keeps no history, so there are no figures over time'
  if (found.waiting.length > 0) return `the figures of ${symbol} wait to be made of what was recorded: try again later`
  const parent = parentOfRoot(symbol)
  if (parent !== undefined) return `figures over time are kept of ${parent} as a whole`
  return `nothing was recorded of ${symbol} in this stretch of time`
}

/** Figure by strike over the session that the endpoint declares; undefined if the request needs none. */
export const strikeColumns: Input<
  readonly StrikeColumn[] | undefined,
  { readonly columns: readonly StrikeColumn[] | undefined } | undefined
> = {
  kind: 'market',
  moves: true,
  find: ({ symbols: [symbol], chain, endpoint, params, market }) => {
    const wanted = chain && endpoint.strikesRead(params as never, chain.asOf)
    return wanted && { columns: market.strikes({ symbol, ...wanted }) }
  },
  value: (found) => found?.columns,
  version: (found) => (found?.columns ?? []).map(({ asOf }) => asOf).join(' '),
  refuse(found, { symbols: [symbol] }) {
    if (found === undefined) return
    if (found.columns === undefined)
      throw apiError('no_data', 'this service keeps no history, so there is no course of a day')
    if (found.columns.length === 0) throw apiError('no_data', `nothing was recorded of ${symbol} in this session`)
  },
  errors: () => ['no_data', 'history_damaged']
}
