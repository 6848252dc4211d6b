import type { EventFields } from '../dxlink/events.ts'

/** What a chain is made of, for options and for their underlying alike. */
export const chainFields: EventFields = new Map([
  ['Quote', ['eventSymbol', 'bidPrice', 'askPrice', 'bidSize', 'askSize']],
  ['Summary', ['eventSymbol', 'openInterest', 'dayClosePrice', 'prevDayClosePrice']],
  ['Trade', ['eventSymbol', 'time', 'price', 'dayVolume']]
])
