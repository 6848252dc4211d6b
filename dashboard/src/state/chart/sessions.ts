import { newYork } from '../day/time.ts'
import type { Bars } from './history.ts'

/** A session's first bar. */
export interface Session {
  /** Position of the bar. */
  readonly at: number
  /** yyyy-MM-dd in New York. */
  readonly date: string
}

/** A longer pause than this begins another session, milliseconds. */
export const NIGHT = 4 * 3_600_000

/** A snapshot stands for so long if no newer one follows, milliseconds: the past is made each half hour at first. */
export const STANDS = 31 * 60_000

/** Finds the first bar of each session. */
export function sessionsOf({ t }: Bars): readonly Session[] {
  const found: Session[] = []
  for (let i = 0; i < t.length; i++)
    if (i === 0 || t[i]! - t[i - 1]! > NIGHT) found.push({ at: i, date: newYork(t[i]!).slice(0, 10) })
  return found
}
