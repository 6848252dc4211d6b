import type { IsoDate } from '../../market/units.ts'
import type { Input } from './input.ts'

/**
 * The days on which the company reports, ascending, as known at the moment of the answer. Undefined without a calendar: no
 * source states one so far. Unknown is not "none".
 */
export const earningsDates: Input<readonly IsoDate[] | undefined> = {
  kind: 'market',
  moves: false,
  find: () => undefined,
  version: (found) => found?.join() ?? ''
}
