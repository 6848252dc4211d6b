import type { PrintFeed, PrintSink, TapeMessage } from '../../src/connectors/port/prints/print-feed.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'

const timeOf = (message: TapeMessage): Instant =>
  'print' in message ? message.print.time : 'cancel' in message ? message.cancel.time : message.quote.time
const symbolOf = (message: TapeMessage): Ticker =>
  'print' in message ? message.print.symbol : 'cancel' in message ? message.cancel.symbol : message.quote.symbol

/** A feed that sends the messages a test gives it, and has as its past the messages the test let happen. */
export class ScriptedFeed implements PrintFeed {
  readonly delay: number = 0
  readonly stocks: boolean = true
  /** All messages that happened, sent or not. */
  readonly happened: TapeMessage[] = []
  /** Requests for past prints. */
  readonly asked: { readonly symbol: Ticker; readonly from: Instant; readonly to: Instant }[] = []
  past?: NonNullable<PrintFeed['past']>
  /** Error with which requests for the past fail. */
  fault: Error | undefined
  runs = 0
  wanted: () => readonly Ticker[] = () => []
  #sink: PrintSink | undefined
  #end: (error: Error | undefined) => void = () => {}

  constructor({ past = true } = {}) {
    if (past) this.past = (symbol, from, to) => this.#past(symbol, from, to)
  }

  run(wanted: () => readonly Ticker[], sink: PrintSink, signal: AbortSignal): Promise<void> {
    this.runs++
    this.wanted = wanted
    this.#sink = sink
    return new Promise((resolve, reject) => {
      this.#end = (error) => {
        this.#sink = undefined
        if (error === undefined) resolve()
        else reject(error)
      }
      signal.addEventListener('abort', () => this.#end(undefined))
    })
  }

  /** Lets messages happen, and sends them if the feed runs. */
  tell(...messages: readonly TapeMessage[]): void {
    this.happened.push(...messages)
    this.#sink?.messages(messages)
  }

  state(state: Parameters<PrintSink['state']>[0]): void {
    this.#sink?.state(state)
  }

  /** Ends the run, with an error where one is given. */
  end(error?: Error): void {
    this.#end(error)
  }

  async *#past(symbol: Ticker, from: Instant, to: Instant): AsyncGenerator<readonly TapeMessage[]> {
    this.asked.push({ symbol, from, to })
    const printed = this.happened.filter(
      (message) => symbolOf(message) === symbol && timeOf(message) >= from && timeOf(message) < to
    )
    const half = Math.ceil(printed.length / 2)
    yield printed.slice(0, half)
    if (this.fault !== undefined) throw this.fault
    yield printed.slice(half)
  }
}
