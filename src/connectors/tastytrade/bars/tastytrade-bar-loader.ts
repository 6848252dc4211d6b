import { DAYS_OF_BARS } from '../../../market/bar.ts'
import { type Instant, MILLISECONDS_PER_DAY, type Ticker } from '../../../market/units.ts'
import type { FrameListener } from '../../port/capture/capture.ts'
import type { Connector } from '../../port/connector.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import { SerialQueue } from '../../port/prints/serial-queue.ts'
import { SourceError } from '../../port/source-error.ts'
import { type DxlinkLimits, followDxlink } from '../dxlink/dxlink-connection.ts'
import type { TastytradeRest } from '../tastytrade-rest.ts'
import { daysOf, flagsOf, readCandles, tastytradeCandleFields } from './tastytrade-candles.ts'

export interface TastytradeBarLimits {
  /** Time limit for all candles of a symbol, milliseconds. */
  readonly bars: number
}

export const usualBarLimits: TastytradeBarLimits = { bars: 15_000 }

export interface TastytradeBarOptions {
  readonly rest: TastytradeRest
  readonly link: DxlinkLimits
  readonly onFrame?: FrameListener | undefined
  readonly limits: TastytradeBarLimits
}

/**
 * Loads a symbol's daily bars since a given time. Each load opens its own connection and closes it after the last
 * candle. Symbols are loaded one after another, so that many symbols do not mean many connections.
 */
export function tastytradeBars({
  rest,
  link: linkLimits,
  onFrame: onRaw,
  limits
}: TastytradeBarOptions): Connector['dailyBars'] {
  const queue = new SerialQueue()

  async function collect(symbol: Ticker, now: Instant, signal: AbortSignal): Promise<readonly VendorFields[]> {
    const candles: VendorFields[] = []
    const complete = new AbortController()
    let hasEnd = false
    const take = (events: readonly VendorFields[]) => {
      for (const event of events) {
        if (complete.signal.aborted) return
        candles.push(event)
        const { ends, isPending } = flagsOf(event)
        hasEnd ||= ends
        if (hasEnd && !isPending) complete.abort()
      }
    }
    const access = await rest.streamAccess(signal)
    const fromTime = now - DAYS_OF_BARS * MILLISECONDS_PER_DAY
    try {
      await followDxlink(
        {
          access,
          limits: linkLimits,
          fields: tastytradeCandleFields,
          // With AUTO, the vendor's default, past candles arrive empty.
          contract: 'HISTORY',
          onOpen: (link) => link.subscribe([{ type: 'Candle', symbol: daysOf(symbol), fromTime }]),
          onEvents: (_, events) => take(events),
          onRaw
        },
        AbortSignal.any([signal, complete.signal, AbortSignal.timeout(limits.bars)])
      )
    } catch (error) {
      if (error instanceof SourceError && error.fault === 'refused') rest.forgetAccess()
      throw error
    }
    signal.throwIfAborted()
    if (complete.signal.aborted) return candles
    throw new SourceError('timeout', `the stream of tastytrade did not tell all candles of ${symbol}`)
  }

  return async (symbol, now, signal) => {
    const end = await queue.next(signal)
    try {
      return readCandles(await collect(symbol, now, signal), symbol, now)
    } finally {
      end()
    }
  }
}
