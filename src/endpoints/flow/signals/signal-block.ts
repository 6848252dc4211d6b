import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { Contracts, Count, Day, Days, Decimal, Price, Score, Timestamp, Usd, Words } from '../../../api/quantity.ts'
import { intents } from '../../../flow/signals/signal.ts'
import { convictions, type Signal, signalStructures, signalTags } from '../../../flow/signals/signal-feed.ts'
import { CLOSING, OPENING, openCloseBiases, scoreWeights } from '../../../flow/signals/signal-score.ts'
import { CALL } from '../../../market/chain.ts'
import { aggressors, sides } from '../../../market/print.ts'
import { isoInstant } from '../../../market/units.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'
import { enrichmentBlock } from './enrichment.ts'

const points = (part: keyof typeof scoreWeights) => Count(undefined, { minimum: 0, maximum: scoreWeights[part] })

/**
 * One signal of the feed: its group of prints, its score, and facts about its contract at the official open interest.
 */
export const signalBlock = block(
  Type.Object(
    {
      ts: Timestamp('the first print of the group'),
      expiry: Day(),
      strike: Price(),
      right: Words('C', 'P'),
      side: Words(...sides),
      price: Price('weighted by size', { minimum: 0 }),
      size: Contracts(undefined, { minimum: 1 }),
      premium: Usd('price times size times 100', { minimum: 0 }),
      dte: Days('calendar days to the expiration', { minimum: 0 }),
      structure: Words(...signalStructures),
      aggressor: Words(...aggressors),
      open_close_bias: Words(...openCloseBiases),
      open_close_confidence: Decimal(
        6,
        'fraction',
        'the share of classified volume that is taken to change positions',
        {
          minimum: 0,
          maximum: 1
        }
      ),
      contract_net_oi_delta: Contracts("estimated change of the series' open interest by the session's flow"),
      intent: Words(...intents),
      score: Score('the sum of its parts'),
      conviction: Words(...convictions),
      tags: Type.Array(Words(...signalTags), { uniqueItems: true }),
      score_breakdown: Type.Object(
        {
          premium: points('premium'),
          size_vs_oi: points('sizeVsOi'),
          aggressor: points('aggressor'),
          sweep: points('sweep'),
          opening_bias: points('openingBias'),
          tenor: points('tenor')
        },
        { title: 'FlowSignalScores' }
      ),
      enrichment: enrichmentBlock.schema
    },
    { title: 'FlowSignal' }
  ),
  (signal: Signal, confidence: number, chain: PricedChain | undefined) => ({
    ts: isoInstant(signal.ts),
    expiry: signal.expiration.date,
    strike: signal.strike,
    right: signal.right === CALL ? ('C' as const) : ('P' as const),
    side: sides[signal.side],
    price: signal.price,
    size: signal.size,
    premium: signal.premium,
    dte: signal.days,
    structure: signal.structure,
    aggressor: aggressors[signal.aggressor],
    open_close_bias: openCloseBiases[signal.bias],
    open_close_confidence: confidence,
    contract_net_oi_delta: signal.delta,
    intent: intents[signal.intent],
    score: signal.score,
    conviction: signal.conviction,
    tags: tagsOf(signal),
    score_breakdown: {
      premium: signal.parts.premium,
      size_vs_oi: signal.parts.sizeVsOi,
      aggressor: signal.parts.aggressor,
      sweep: signal.parts.sweep,
      opening_bias: signal.parts.openingBias,
      tenor: signal.parts.tenor
    },
    enrichment: enrichmentBlock.fill(signal, chain)
  })
)

function tagsOf({ structure, bias, days, isWhale, isGolden }: Signal): readonly (typeof signalTags)[number][] {
  return [
    structure,
    ...(bias === OPENING ? (['opening'] as const) : []),
    ...(bias === CLOSING ? (['closing'] as const) : []),
    ...(days === 0 ? (['0dte'] as const) : []),
    ...(isWhale ? (['whale'] as const) : []),
    ...(isGolden ? (['golden'] as const) : [])
  ]
}
