import Type from 'typebox'
import { block } from '../../../api/block.ts'
import { Day, Note, Nullable } from '../../../api/quantity.ts'
import { weekday } from '../../../market/calendar.ts'
import type { Chain } from '../../../market/chain.ts'
import type { IsoDate } from '../../../market/units.ts'
import { nothingExpires } from '../../../wording/same-day-readings.ts'

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Response for a symbol without an expiration today, apart from its first fields. */
export const nothingTodayBlock = block(
  Type.Object({
    expiration: Nullable(Day()),
    no_zero_dte: Type.Literal(true),
    message: Note(),
    next_zero_dte_expiry: Nullable(Day('next listed expiration'))
  }),
  ({ symbol, expirations }: Chain, today: IsoDate) => {
    const next = expirations.find(({ date }) => date > today)?.date
    return {
      expiration: undefined,
      no_zero_dte: true as const,
      message: nothingExpires(symbol, weekdays[weekday(today)], next),
      next_zero_dte_expiry: next
    }
  }
)
