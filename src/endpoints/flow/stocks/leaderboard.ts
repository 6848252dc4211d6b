import Type from 'typebox'
import { endpoint } from '../../../api/endpoint.ts'
import { leaders } from '../../../flow/windows/leaders.ts'
import { leaderboardHead, stockLeader } from '../leader.ts'
import { leaderCount, windowMinutes } from '../tape-parameters.ts'

export const stockLeaderboard = endpoint({
  id: 'flow.stocks_leaderboard',
  path: '/v1/flow/stocks/leaderboard',
  tag: 'flow',
  summary: 'Stocks with the most net money',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['stockWindow'],
  minutesRead: (params) => params.windowMinutes,
  params: { n: leaderCount, windowMinutes },
  replay: true,
  stream: false,
  response: Type.Object({
    ...leaderboardHead.schema.properties,
    buyers: Type.Array(stockLeader.schema),
    sellers: Type.Array(stockLeader.schema)
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
