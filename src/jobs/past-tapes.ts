import type { HistoryStore, ZeroDteRow } from '../archive/history-store.ts'
import type { Print, PrintFeed, TapeMessage } from '../connectors/port/prints/print-feed.ts'
import type { ImportWriter } from '../imports/import-writer.ts'
import { nextTradingDay } from '../market/calendar.ts'
import type { PressureRow } from '../market/hedge-pressure.ts'
import { tapeKinds } from '../market/print.ts'
import { tradesFrom } from '../market/trade-date.ts'
import type { Instant } from '../market/units.ts'
import { SymbolTapes } from '../tape/symbol-tapes.ts'
import { TapeBatch, type TapeRows } from '../tape/tape-batch.ts'
import { type FlowSamplesTaker, type PastFlowOptions, pastFlowSamples } from './past-flow-samples.ts'

export interface PastTapesOptions extends Omit<PastFlowOptions, 'signal'> {
  readonly past: NonNullable<PrintFeed['past']>
  readonly store: Pick<HistoryStore, 'writeZeroDte' | 'writePressure'>
  /** Called from time to time with the market time up to which prints were read. */
  readonly progress: (until: Instant) => Promise<void>
}

/** Characters of text in one write of tapes or raw bars: the rows of about half an hour. */
const MAX_WRITE = 8 * 2 ** 20
const MAX_SAMPLES = 400

/**
 * Writes the tapes of a symbol's past session, and the samples of their flow. They equal what a live service would have
 * recorded from the open: the same code computes them, and each print counts as known at its own time. Existing tapes are
 * replaced. The marker that a tape exists is written last, so that readers never find an incomplete tape.
 */
export async function writePastTapes(options: PastTapesOptions, writer: ImportWriter): Promise<void> {
  const { symbol, day } = options
  const ids = tapeKinds.map((kind) => ({ symbol, kind, session: day.date }))
  await writer.tapes(ids, rowsOf(options, writer.signal))
}

async function* rowsOf(options: PastTapesOptions, signal: AbortSignal): AsyncGenerator<TapeRows> {
  const { symbol, day, source, past, store, progress } = options
  const batch = new TapeBatch({ fidelity: 'recorded', headsLast: true })
  const tapes = new SymbolTapes({ symbol, onFull: (tape) => batch.add(symbol, source, tape), sumsOnly: true })
  const samples = new SampleWriter(store)
  const waiting = pastFlowSamples({ ...options, signal }, tapes, samples)
  const next = async () => (await waiting.next()).value ?? Number.POSITIVE_INFINITY
  let wanted = await next()
  const [from, to] = [day.date, nextTradingDay(day.date)].map(tradesFrom)
  for await (const messages of past(symbol, from, to, signal)) {
    for (const message of messages) {
      const { time } = tradeOf(message)
      while (wanted <= time) wanted = await next()
      tapes.take(message, undefined)
    }
    if (batch.size >= MAX_WRITE) yield batch.take()
    if (messages.length > 0) await progress(tradeOf(messages[messages.length - 1]).time)
    if (signal.aborted) return
  }
  while (wanted < Number.POSITIVE_INFINITY && !signal.aborted) wanted = await next()
  if (signal.aborted) return
  await samples.flush()
  for (const tape of tapes.all()) batch.add(symbol, source, tape)
  yield batch.take()
  yield batch.takeHeads()
}

class SampleWriter implements FlowSamplesTaker {
  readonly #store: PastTapesOptions['store']
  #bars: ZeroDteRow[] = []
  #pressure: PressureRow[] = []

  constructor(store: PastTapesOptions['store']) {
    this.#store = store
  }

  async bar(row: ZeroDteRow): Promise<void> {
    if (this.#bars.push(row) >= MAX_SAMPLES) await this.flush()
  }

  async pressure(row: PressureRow): Promise<void> {
    if (this.#pressure.push(row) >= MAX_SAMPLES) await this.flush()
  }

  async flush(): Promise<void> {
    const [bars, pressure] = [this.#bars, this.#pressure]
    this.#bars = []
    this.#pressure = []
    if (bars.length > 0) await this.#store.writeZeroDte(bars)
    if (pressure.length > 0) await this.#store.writePressure(pressure)
  }
}

const tradeOf = (message: TapeMessage): Pick<Print, 'time'> =>
  'print' in message ? message.print : 'cancel' in message ? message.cancel : message.quote
