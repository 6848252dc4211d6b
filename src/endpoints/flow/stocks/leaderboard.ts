import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { leaders } from '../../../flow/windows/leaders.ts'
import { leaderboardHead, stockLeader } from '../leader.ts'
import { leaderCount, windowMinutes } from '../tape-parameters.ts'

export const stockLeaderboard = endpoint({
  id: 'flow.stocks_leaderboard',
  path: '/v1/flow/stocks/leaderboard',
  tag: 'flow',
  summary: 'Stocks with the most net money',
  description: 'Where stock money went across all followed symbols within the window: most bought and most sold.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['stockWindow'],
  minutesRead: (params) => params.windowMinutes,
  params: { n: leaderCount, windowMinutes },
  replay: true,
  stream: false,
  response: Type.Object({
    ...leaderboardHead.schema.properties,
    buyers: Type.Array(stockLeader.schema, rowKey('symbol')),
    sellers: Type.Array(stockLeader.schema, rowKey('symbol'))
  }),
  answer: ({ stockWindow }, asked) => {
    const { buyers, sellers } = leaders(stockWindow.totals, { multiplier: 1, count: asked.n })
    return {
      ...leaderboardHead.fill(stockWindow, asked),
      buyers: buyers.map(stockLeader.fill),
      sellers: sellers.map(stockLeader.fill)
    }
  }
})
