import Type from 'typebox'
import { endpoint } from '../../../api/endpoint.ts'
import { Contracts, Count, Name, Nullable } from '../../../api/quantity.ts'
import { sessionTotals } from '../../../flow/windows/session-totals.ts'
import { expiryAsked } from '../expiry-asked.ts'
import { sessionSums } from '../session-sums.ts'
import { ofOptions } from '../tape-parameters.ts'

const { schema, fill } = sessionSums(Contracts)

export const optionTapeSummary = endpoint({
  id: 'flow.options_summary',
  path: '/v1/flow/options/{symbol}/summary',
  tag: 'flow',
  summary: 'Session totals of the option tape',
  description: 'What traded today in options of a symbol: prints, contracts bought and sold, net, largest print.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['tapeSubject', 'optionTotals'],
  params: ofOptions,
  replay: true,
  stream: true,
  response: Type.Object({
    symbol: Name('underlying ticker'),
    expiry: expiryAsked,
    contractsWithTrades: Count('option series with a print', { minimum: 0 }),
    ...schema.properties,
    totalTrades: Nullable(Count('null where only the volume of the day is known, at its close', { minimum: 0 })),
    biggestSingleTrade: Nullable(Contracts('null where only the volume of the day is known', { minimum: 0 }))
  }),
  answer: ({ optionTotals }, { symbol, expiry }) => {
    const totals = sessionTotals(optionTotals, expiry)
    const sums = { symbol, expiry, contractsWithTrades: totals.contracts, ...fill(totals) }
    if (optionTotals.source !== 'settled') return sums
    return { ...sums, totalTrades: undefined, biggestSingleTrade: undefined, lastTradeUtc: undefined }
  }
})
