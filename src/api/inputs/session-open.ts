import type { MinuteBuckets } from '../../flow/views.ts'
import { session } from '../../market/calendar.ts'
import { NO_PRICE } from '../../market/print.ts'
import type { IsoDate } from '../../market/units.ts'
import { andThen, orUndefined } from '../maybe-promise.ts'
import type { Input } from './input.ts'

/**
 * Where the session of the day opened, USD per share: its first print of the stock that may set a price. Undefined before
 * the open, and where there is no tape of the stock.
 */
export const sessionOpen: Input<number | undefined> = {
  kind: 'market',
  moves: true,
  find: ({ symbols: [symbol], day, request: { source, maxAge } }) =>
    andThen(
      orUndefined(() => source.view({ symbol, kind: 'stock', view: 'minutes' }, maxAge)),
      (minutes) => minutes && openOf(minutes, day)
    ),
  version: (found) => found ?? ''
}

function openOf({ session: date, length, minute, open, unit }: MinuteBuckets, day: IsoDate): number | undefined {
  const hours = session(day)
  if (hours === undefined || date !== day) return undefined
  for (let k = 0; k < length; k++) if (minute[k] >= hours.open && open[k] !== NO_PRICE) return open[k] * unit
  return undefined
}
