import Type from 'typebox'
import { ranked, rowName } from '../../../api/annotations.ts'
import { block } from '../../../api/block.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { choice, flowExpiry, whole } from '../../../api/params.ts'
import { Count, Level, Nullable, Price } from '../../../api/quantity.ts'
import { keyLevels } from '../../../exposure/levels/key-levels.ts'
import { maxPain } from '../../../exposure/pin/max-pain.ts'
import { liveScope } from '../../../exposure/scope.ts'
import { gammaFlip } from '../../../exposure/spot-ladder/gamma-flip.ts'
import { bestSignals } from '../../../flow/signals/signal-feed.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import { signalBlock } from './signal-block.ts'
import { signalsOpening, signalsSymbol, signalWindow, signalWindowMinutes } from './window.ts'

/** Walls, max pain and gamma flip of the whole chain, computed from official open interest. Null without a chain. */
const settledLevelsBlock = block(
  Type.Object(
    {
      call_wall: Nullable(Price()),
      put_wall: Nullable(Price()),
      max_pain: Nullable(Price()),
      gamma_flip: Nullable(Level())
    },
    { title: 'SettledLevels' }
  ),
  (chain: PricedChain | undefined) => {
    const scope = chain && liveScope(chain)
    const levels = scope && keyLevels(scope)
    return {
      call_wall: levels?.callWall?.strike,
      put_wall: levels?.putWall?.strike,
      max_pain: scope && maxPain(scope),
      gamma_flip: scope && gammaFlip(scope)
    }
  }
)

export const flowSignals = endpoint({
  id: 'flow.signals',
  path: '/v1/flow/signals/{symbol}',
  tag: 'flow',
  summary: 'Large option prints and sweeps, scored',
  description:
    'Unusual prints and sweeps as they come: side, premium, size against open interest, likely intent and a score with its parts. Filter by intent, structure, premium and score.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['anyChain', 'groups', 'positions', 'minute'],
  minutesRead: ({ windowMinutes }) => windowMinutes,
  params: {
    symbol: signalsSymbol,
    minScore: whole({
      description: 'a whole number: the minimum score',
      default: 0,
      minimum: 0,
      maximum: 100,
      clamp: true
    }),
    intent: choice({
      description: 'bullish, bearish or neutral',
      spelling: { bullish: 'bullish', bearish: 'bearish', neutral: 'neutral' } as const,
      code: 'invalid_intent'
    }),
    structure: choice({
      description: 'block, sweep or single, which is the structure of none',
      spelling: { block: 'block', sweep: 'sweep', single: 'single' } as const,
      code: 'invalid_structure'
    }),
    windowMinutes: signalWindowMinutes,
    limit: whole({ description: 'a whole number of signals', default: 50, minimum: 1, maximum: 500, clamp: true }),
    expiry: flowExpiry
  },
  replay: true,
  stream: false,
  response: Type.Object({
    ...signalsOpening,
    chain: settledLevelsBlock.schema,
    count: Count(undefined, { minimum: 0 }),
    signals: Type.Array(signalBlock.schema, { ...rowName('ts', 'expiry', 'strike', 'right'), ...ranked, maxItems: 500 })
  }),
  answer: (inputs, { minScore, intent, structure, limit, ...asked }) => {
    const { opening, chain, signals, confidence } = signalWindow(inputs, asked)
    const best = bestSignals(signals, { minScore, intent, structure }, limit)
    return {
      ...opening,
      chain: settledLevelsBlock.fill(chain),
      count: best.length,
      signals: best.map((signal) => signalBlock.fill(signal, confidence, chain))
    }
  }
})
