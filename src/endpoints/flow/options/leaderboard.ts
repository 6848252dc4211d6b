import Type from 'typebox'
import { rowKey } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { leaders } from '../../../flow/windows/leaders.ts'
import { CONTRACT_SIZE } from '../../../market/chain.ts'
import { leaderboardHead, optionLeader } from '../leader.ts'
import { leaderCount, windowMinutes } from '../tape-parameters.ts'

export const optionLeaderboard = endpoint({
  id: 'flow.options_leaderboard',
  path: '/v1/flow/options/leaderboard',
  tag: 'flow',
  summary: 'Underlyings with the most net option money',
  description: 'Where option money went across all followed underlyings within the window: most bought and most sold.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['optionWindow'],
  minutesRead: (params) => params.windowMinutes,
  params: { n: leaderCount, windowMinutes },
  replay: true,
  stream: false,
  response: Type.Object({
    ...leaderboardHead.schema.properties,
    buyers: Type.Array(optionLeader.schema, rowKey('symbol')),
    sellers: Type.Array(optionLeader.schema, rowKey('symbol'))
  }),
  answer: ({ optionWindow }, asked) => {
    const { buyers, sellers } = leaders(optionWindow.totals, { multiplier: CONTRACT_SIZE, count: asked.n })
    return {
      ...leaderboardHead.fill(optionWindow, asked),
      buyers: buyers.map(optionLeader.fill),
      sellers: sellers.map(optionLeader.fill)
    }
  }
})
