import { latestSession } from '../../market/calendar.ts'
import type { IsoDate } from '../../market/units.ts'
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
