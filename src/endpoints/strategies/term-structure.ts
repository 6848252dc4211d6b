import Type from 'typebox'
import { rowKey } from '../../api/annotations.ts'
import { block } from '../../api/block.ts'
import { endpoint } from '../../api/endpoint.ts'
import { Count, Day, Days, Nullable, Percent, Price, Words } from '../../api/quantity.ts'
import { type TermFigures, termRegimes, termStructureSignal } from '../../signals/strategies/term-structure-signal.ts'
import { termReasons } from '../../wording/strategy-reasons.ts'
import { decided, decisionSchema, declared, subject } from './decision-block.ts'
import { symbol } from './parameters.ts'

const shapes = { contango: 'contango', backwardation: 'backwardation', flat_term: 'flat' } as const

const metrics = block(
  Type.Object(
    {
      front_iv: Nullable(Percent('of the first expiration a day away or more')),
      back_iv: Nullable(Percent('of the last within a year')),
      slope: Nullable(Percent('back minus front, vol points')),
      shape: Nullable(Words('contango', 'backwardation', 'flat')),
      expiry_count: Nullable(Count()),
      term_points: Nullable(
        Type.Array(
          Type.Object({ expiry: Day(), dte: Days(), atm_iv: Percent() }, { title: 'TermPoint' }),
          rowKey('expiry')
        )
      ),
      underlying_price: Price()
    },
    { title: 'TermStructureMetrics' }
  ),
  (figures: TermFigures | undefined, spot: number) => ({
    front_iv: figures?.front,
    back_iv: figures?.back,
    slope: figures?.slope,
    shape: figures && shapes[figures.shape],
    expiry_count: figures?.points.length,
    term_points: figures?.points.map(({ expiry, days, iv }) => ({ expiry, dte: days, atm_iv: iv })),
    underlying_price: spot
  })
)

export const termStructureStrategy = endpoint({
  ...declared,
  id: 'strategies.term_structure',
  path: '/v1/strategies/term-structure/{symbol}',
  summary: 'How volatility changes with time to expiry',
  description:
    'Reads contango or backwardation of volatility and derives a calendar structure. A signal with reasons and risk flags.',
  plan: 'growth',
  needs: subject,
  params: { symbol },
  response: decisionSchema('term_structure', termRegimes, metrics.schema),
  answer: (inputs) =>
    decided(inputs, {
      signal: 'term_structure',
      unread: 'no_term_structure_data',
      assess: termStructureSignal,
      metrics: metrics.fill,
      reasons: termReasons
    })
})
