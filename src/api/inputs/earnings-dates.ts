import { reportsAhead } from '../../market/earnings.ts'
import type { IsoDate } from '../../market/units.ts'
import { andThen, orUndefined } from '../maybe-promise.ts'
import type { Input } from './input.ts'

/**
 * The days from that of the answer on, on which the company reports, ascending, as known at its moment. Undefined where no
 * calendar says anything of the company: unknown is not "none".
 */
export const earningsDates: Input<readonly IsoDate[] | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], day, request: { source } }) =>
    andThen(
      orUndefined(() => source.reports(symbol)),
      (known) => known && reportsAhead(known, day)
    ),
  version: (found) => found?.join() ?? ''
}
