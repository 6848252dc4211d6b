import { onTestFinished } from 'vitest'
import type { PrintFeed, PrintSink, TapeMessage } from '../../src/connectors/port/prints/print-feed.ts'
import type { Instant, Ticker } from '../../src/market/units.ts'

/** Runs a feed for SPY until the test ends, and records its output. The test sets the market's clock. */
export function runFeed(feed: PrintFeed, clock: { now: Instant }) {
  const wanted = ['SPY' as Ticker]
  const received: TapeMessage[] = []
  const states: Parameters<PrintSink['state']>[0][] = []
  const refused: string[] = []
  const interruptions: string[] = []
  const sink: PrintSink = {
    messages: (batch) => void received.push(...batch),
    state: (state) => void states.push(state),
    refused: (reason, symbol) => void refused.push(symbol === undefined ? reason : `${symbol}: ${reason}`),
    interrupted: (reason) => void interruptions.push(reason)
  }
  const end = new AbortController()
  const running = feed.run(
    () => wanted,
    sink,
    end.signal,
    () => clock.now
  )
  /** Error with which the run was rejected; undefined if it was stopped. */
  const ended: Promise<unknown> = running.then(
    () => undefined,
    (error) => error
  )
  const stop = () => {
    end.abort()
    return ended
  }
  onTestFinished(async () => {
    await stop()
  })
  return { wanted, received, states, refused, interruptions, clock, ended, stop }
}
