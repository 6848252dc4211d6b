import type { AnswerListener } from '../port/capture.ts'
import type { Connector } from '../port/connector.ts'
import { createPrintFeed, type PrintLimits } from './prints/feed.ts'
import { createRest } from './rest.ts'
import { terms } from './terms.ts'

export interface MassiveSettings {
  /** Of the account. It leaves the process towards the two addresses alone. */
  readonly key: string
  /** The address of the sockets without the name of the market. */
  readonly stream: string
  /** The address of the REST interface. */
  readonly url: string
  /** Seconds that the plan's data is behind the market. */
  readonly delay: number
  /** Contracts of which quotes are streamed. */
  readonly quotes: number
  readonly requestsPerSecond: number
  readonly budget?: SharedArrayBuffer | undefined
  readonly onAnswer?: AnswerListener | undefined
  /** Times of the stream, those of the vendor when undefined. */
  readonly limits?: Partial<PrintLimits>
}

/** The vendor's prints. Nothing is connected before somebody runs them; chains and bars have other sources. */
export function createMassive(settings: MassiveSettings): Connector {
  return {
    name: 'massive',
    synthetic: false,
    provides: ['prints'],
    terms,
    pace: 1000,
    universe: [],
    tickers: [],
    fixedAt: undefined,
    latest: (now) => now,
    chain: async () => undefined,
    holdsPast: false,
    closingChain: async () => undefined,
    dailyBars: async () => [],
    prints: createPrintFeed({ ...settings, rest: createRest(settings) })
  }
}
