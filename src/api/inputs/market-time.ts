import { latestSession } from '../../market/calendar.ts'
import { easternDate } from '../../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { SAMPLE_STEP } from '../../market/zero-dte-sample.ts'
import type { Input } from './input.ts'

/** The newest session that has begun. */
export interface SessionState {
  readonly date: IsoDate
  /** Whether it is on; the instant of its close counts. */
  readonly isOn: boolean
}

/** The session the market stands in. Unlike its clock it changes at opens and closes only. */
export const session: Input<SessionState> = {
  kind: 'market',
  moves: false,
  find: ({ request: { source } }) => {
    const now = source.clock(1000)
    const { date, close } = latestSession(now)
    return { date, isOn: now <= close }
  },
  version: ({ date, isOn }) => `${date} ${isOn}`
}

/** The current date of the market, New York; the past session where the answer describes one. */
export const today: Input<IsoDate> = {
  kind: 'market',
  moves: false,
  find: ({ session, request: { source } }) => session ?? easternDate(source.now()),
  version: (date) => date
}

/** The wall-clock moment of the request, for calculators that date their answer. */
export const now: Input<Instant> = {
  kind: 'service',
  moves: false,
  find: ({ facts }) => facts!.now,
  version: () => ''
}

/** The minute the market stands in, the half of one and the second: answers about windows that end now change with it. */
export const minute = clockOf(MILLISECONDS_PER_MINUTE)
export const halfMinute = clockOf(SAMPLE_STEP)
export const second = clockOf(1000)

function clockOf(step: number): Input<Instant> {
  return {
    kind: 'market',
    moves: true,
    find: ({ request: { source } }) => source.clock(step),
    version: (found) => found
  }
}
