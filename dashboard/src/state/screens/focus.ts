import { type Day, page } from '../day/day.ts'
import { PAGE, type Subject } from '../service/question.ts'
import type { Exposures } from './exposures.ts'
import { page as exposures } from './overview-state.ts'

/** Subject of a panel, with its session and exposures. */
export interface Focus {
  readonly subject: Subject
  readonly day: Day
  readonly exposures: Exposures
}

export const PAGE_FOCUS: Focus = { subject: PAGE, day: page, exposures }
