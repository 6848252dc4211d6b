import { latestSession } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { SAMPLE_STEP } from '../../market/zero-dte-sample.ts'
import type { Input } from './input.ts'

/** The newest session that has begun. */
export interface SessionState {
  readonly date: IsoDate
  /** Whether the session is open; the instant of its close counts as open. */
  readonly isOn: boolean
}

/** Session of the market's current time. Unlike the clock inputs it changes at opens and closes only. */
export const session: Input<SessionState> = {
  kind: 'market',
  moves: false,
  find: ({ market }) => {
    const now = market.clock(1000)
    const { date, close } = latestSession(now)
    return { date, isOn: now <= close }
  },
  version: ({ date, isOn }) => `${date} ${isOn}`
}

/** Current New York date of the market, or the past session that the response describes. */
export const today: Input<IsoDate> = {
  kind: 'market',
  moves: false,
  find: ({ session, request: { source } }) => session ?? easternDate(source.now()),
  version: (date) => date
}

export const now: Input<Instant> = {
  kind: 'service',
  moves: false,
  find: ({ facts }) => facts!.now,
  version: () => ''
}

/** Current minute of the market, for responses whose window ends now; `halfMinute` and `second` are finer. */
export const minute = clockOf(MILLISECONDS_PER_MINUTE)
export const halfMinute = clockOf(SAMPLE_STEP)
export const second = clockOf(1000)

function clockOf(step: number): Input<Instant> {
  return {
    kind: 'market',
    moves: true,
    find: ({ market }) => market.clock(step),
    version: (found) => found
  }
}
