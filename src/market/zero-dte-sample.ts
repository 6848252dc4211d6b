import type { Instant } from './units.ts'

/** Length of a raw bar of what expires on the day, milliseconds: they begin on :00 and :30. */
export const SAMPLE_STEP = 30_000
/** The state of a bar is taken so long before its end: later rows are never in it, and what expires is still alive. */
export const SAMPLE_LEAD = 500

/** One raw bar of what expires on the day of the session, [t, t + 30 s). State at its end, flow inside it; USD. */
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
  /** Percent. */
  readonly pinProbability: number | undefined
  readonly atmIv: number | undefined
  readonly charmPerHour: number | undefined
  /** Running since the open, whole cents. */
  readonly hedgeCalls: number
  readonly hedgePuts: number
}

/**
 * What the strikes that expire on the day showed at the end of one minute, and their flow inside it: rows by strike,
 * ascending. Money in whole cents.
 */
export interface StrikeMinute {
  /** The beginning of the minute. */
  readonly t: Instant
  /** USD. */
  readonly spot: number
  readonly strike: Float64Array
  readonly gex: Float64Array
  readonly dex: Float64Array
  readonly vex: Float64Array
  readonly chex: Float64Array
  /** Contracts, calls and puts. */
  readonly oi: Float64Array
  readonly signedDelta: Float64Array
  readonly signedGamma: Float64Array
  readonly contracts: Float64Array
}

/** The newest complete sample of a symbol and the one before it. */
export interface NewestSamples {
  readonly newest: ZeroDteSample
  readonly before: ZeroDteSample | undefined
}

const CENTS = 100

/** What dealers are estimated to have traded by a sample to stay hedged on what expires on the day, USD since the open. */
export function hedgeFlowOf({ hedgeCalls, hedgePuts }: Pick<ZeroDteSample, 'hedgeCalls' | 'hedgePuts'>): number {
  return (hedgeCalls + hedgePuts) / CENTS
}
