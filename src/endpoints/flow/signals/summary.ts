import Type from 'typebox'
import { ranked, rowName } from '../../../api/annotations.ts'
import { endpoint } from '../../../api/endpoint.ts'
import { flowExpiry } from '../../../api/params.ts'
import { Count, Usd } from '../../../api/quantity.ts'
import { premiumTilt } from '../../../flow/signals/signal.ts'
import { bestSignals } from '../../../flow/signals/signal-feed.ts'
import { signalBlock } from './signal-block.ts'
import { signalsOpening, signalsSymbol, signalWindow, signalWindowMinutes } from './window.ts'

const TOP = 10

export const flowSignalsSummary = endpoint({
  id: 'flow.signals_summary',
  path: '/v1/flow/signals/{symbol}/summary',
  tag: 'flow',
  summary: 'Premium of the scored prints by its likely intent',
  description:
    'What the scored prints of the window say together: bullish, bearish and neutral premium, and the best few signals.',
  plan: 'alpha',
  sourceFault: 'upstream_unavailable',
  needs: ['anyChain', 'groups', 'positions', 'minute'],
  minutesRead: ({ windowMinutes }) => windowMinutes,
  params: { symbol: signalsSymbol, windowMinutes: signalWindowMinutes, expiry: flowExpiry },
  replay: true,
  stream: true,
  response: Type.Object({
    ...signalsOpening,
    signal_count: Count('signals in the window, whatever their score', { minimum: 0 }),
    bullish_premium: Usd('of bought calls and sold puts that do not close', { minimum: 0 }),
    bearish_premium: Usd('of bought puts and sold calls that do not close', { minimum: 0 }),
    net_directional_premium: Usd('bullish less bearish'),
    opening_premium: Usd('of series whose volume leans to opening', { minimum: 0 }),
    closing_premium: Usd('of series whose volume leans to closing', { minimum: 0 }),
    top_signals: Type.Array(signalBlock.schema, {
      ...rowName('ts', 'expiry', 'strike', 'right'),
      ...ranked,
      maxItems: TOP
    })
  }),
  answer: (inputs, asked) => {
    const { opening, chain, signals, confidence } = signalWindow(inputs, asked)
    const { bullish, bearish, opening: opened, closing } = premiumTilt(signals)
    return {
      ...opening,
      signal_count: signals.length,
      bullish_premium: bullish,
      bearish_premium: bearish,
      net_directional_premium: bullish - bearish,
      opening_premium: opened,
      closing_premium: closing,
      top_signals: bestSignals(signals, {}, TOP).map((signal) => signalBlock.fill(signal, confidence, chain))
    }
  }
})
