import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Folder of recorded payloads next to the project; undefined, with a printed reason, if there is none. */
export function recordedPayloads(): string | undefined {
  const folder = join(resolve(import.meta.dirname, '../..'), '../shared/data/cboe/json')
  if (existsSync(folder)) return folder
  console.log('skipped: the tests with recorded Cboe payloads need ../shared/data beside the project')
  return undefined
}

export interface PayloadText {
  readonly symbol?: string
  /** UTC, as the feed writes it. */
  readonly timestamp?: unknown
  readonly underlying?: Readonly<Record<string, unknown>>
  readonly options?: readonly unknown[]
}

/** A payload in the shape of the exchange: by default SPY on Wednesday 2026-07-29, fetched in the evening. */
export function cboePayload(parts: PayloadText = {}): string {
  const { symbol = 'SPY', timestamp = '2026-07-29 22:37:29', underlying, options } = parts
  return JSON.stringify({
    timestamp,
    symbol,
    data: {
      symbol,
      current_price: 731.88,
      close: 729.46,
      bid: 0,
      ask: 0,
      prev_day_close: 740.86,
      open: 739.97,
      high: 742.68,
      low: 729.1,
      volume: 69560498.0,
      last_trade_time: '2026-07-29T15:59:59',
      ...underlying,
      options: options ?? [cboeOption('SPY260731C00730000'), cboeOption('SPY260731P00730000')]
    }
  })
}

/** One contract in the exchange's format; `fields` override its defaults. */
export function cboeOption(option: string, fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    option,
    bid: 4.1,
    bid_size: 12.0,
    ask: 4.2,
    ask_size: 30.0,
    iv: 0.1812,
    open_interest: 1052.0,
    volume: 77.0,
    delta: 0.5012,
    gamma: 0.0312,
    theo: 4.15,
    tick: null,
    last_trade_price: 4.14,
    last_trade_time: '2026-07-29T16:14:59',
    prev_day_close: 6.02,
    ...fields
  }
}
