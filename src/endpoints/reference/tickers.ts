import Type from 'typebox'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Name } from '../../api/quantity.ts'

export const tickers = endpoint({
  id: 'tickers.current',
  path: '/v1/tickers',
  tag: 'reference',
  summary: 'Every known ticker',
  description: 'All tickers that the source knows, for search boxes and validation.',
  plan: 'free',
  needs: ['catalogue'],
  params: {},
  replay: false,
  stream: false,
  response: Type.Object({ tickers: Type.Array(Name(), { description: 'ascending' }), count: Count() }),
  answer: ({ catalogue }) => ({ tickers: catalogue.tickers, count: catalogue.tickers.length })
})
