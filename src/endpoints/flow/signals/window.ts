import { envelope } from '../../../api/envelope.ts'
import type { Inputs } from '../../../api/inputs/inputs.ts'
import { symbolInPath, whole } from '../../../api/params.ts'
import { Count, Day, Nullable } from '../../../api/quantity.ts'
import { DEFAULT_CONFIDENCE } from '../../../flow/open-interest/simulator.ts'
import { type ScoredSignals, signalsSince } from '../../../flow/signals/signal.ts'
import { type IsoDate, isoInstant, MILLISECONDS_PER_MINUTE, type Ticker } from '../../../market/units.ts'
import type { PricedChain } from '../../../pricing/price-chain.ts'

/** Longest time window of signals, minutes. Older signals are not kept. */
const MAX_WINDOW = 7 * 24 * 60

export const signalWindowMinutes = whole({
  description: 'a whole number of minutes, closed hours included: how far before the current minute the feed begins',
  default: 240,
  minimum: 1,
  maximum: MAX_WINDOW,
  clamp: true
})

export const signalsSymbol = symbolInPath()

/** First fields of responses about signals. */
export const signalsOpening = {
  symbol: envelope.symbol,
  as_of: envelope.as_of,
  window_minutes: Count(undefined, { minimum: 1, maximum: MAX_WINDOW }),
  expiry: Nullable(Day('the requested expiration; null for all of them')),
  underlying_price: envelope.underlying_price
}

type Sources = Pick<Inputs, 'anyChain' | 'groups' | 'positions' | 'minute'>

interface Asked {
  readonly symbol: Ticker
  readonly windowMinutes: number
  readonly expiry: IsoDate | undefined
}

/** The signals of a time window, and the first fields of the response that shows them. */
export interface SignalWindow {
  readonly opening: {
    readonly symbol: Ticker
    readonly as_of: string
    readonly window_minutes: number
    readonly expiry: IsoDate | undefined
    /** Spot price; 0 if no options are listed. */
    readonly underlying_price: number
  }
  readonly chain: PricedChain | undefined
  readonly signals: ScoredSignals
  readonly confidence: number
}

export function signalWindow(
  { anyChain, groups, positions, minute }: Sources,
  { symbol, windowMinutes, expiry }: Asked
): SignalWindow {
  const chain = anyChain !== undefined && anyChain.size > 0 ? anyChain : undefined
  const confidence = positions?.confidence ?? DEFAULT_CONFIDENCE
  const moments = [chain?.asOf, positions?.known, ...groups.map(({ known }) => known)].filter((at) => at !== undefined)
  return {
    opening: {
      symbol,
      as_of: isoInstant(moments.length === 0 ? minute : Math.max(...moments)),
      window_minutes: windowMinutes,
      expiry,
      underlying_price: chain?.spot ?? 0
    },
    chain,
    signals: signalsSince(minute - MILLISECONDS_PER_MINUTE * windowMinutes, expiry, {
      groups,
      positions,
      confidence,
      chain
    }),
    confidence
  }
}
