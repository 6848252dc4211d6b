import type { Instant } from './units.ts'

/** Length of one sample of today's expirations, milliseconds; samples begin on :00 and :30. */
export const SAMPLE_STEP = 30_000
/**
 * The state of a sample is recorded this many milliseconds before the sample ends. Prints that come later are never in
 * it, and contracts that expire at its end are still alive.
 */
export const SAMPLE_LEAD = 500

/**
 * A half-minute sample [t, t + 30 s) of the contracts that expire on the day of the session: their state at its end,
 * and the flow during it. Money is in USD.
 */
export interface ZeroDteSample {
  readonly t: Instant
  readonly spot: number
  readonly netGex: number
  readonly netDex: number
  readonly gammaFlip: number | undefined
  readonly callWall: number | undefined
  readonly putWall: number | undefined
  readonly magnet: number | undefined
  readonly pinScore: number
  readonly pinProbability: number | undefined
  readonly atmIv: number | undefined
  readonly charmPerHour: number | undefined
  /** Hedge flow of calls, then of puts, summed since the open; whole cents. */
  readonly hedgeCalls: number
  readonly hedgePuts: number
}

/**
 * The strikes of today's expirations: their state at the end of one minute, and the flow during it. Rows are by strike,
 * ascending; money is in whole cents.
 */
export interface StrikeMinute {
  readonly t: Instant
  readonly spot: number
  readonly strike: Float64Array
  readonly gex: Float64Array
  readonly dex: Float64Array
  readonly vex: Float64Array
  readonly chex: Float64Array
  /** Open interest of calls and puts, contracts. */
  readonly oi: Float64Array
  readonly signedDelta: Float64Array
  readonly signedGamma: Float64Array
  readonly contracts: Float64Array
}

export interface NewestSamples {
  readonly newest: ZeroDteSample
  readonly before: ZeroDteSample | undefined
}

const CENTS = 100

/**
 * Estimated amount that dealers traded from the open to a sample in order to hedge the options that expire that day,
 * USD.
 */
export function hedgeFlowOf({ hedgeCalls, hedgePuts }: Pick<ZeroDteSample, 'hedgeCalls' | 'hedgePuts'>): number {
  return (hedgeCalls + hedgePuts) / CENTS
}
