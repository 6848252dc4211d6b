import { easternDate } from '../../market/eastern.ts'
import type { IsoDate } from '../../market/units.ts'
import type { Input } from './input.ts'

/** The current date of the market, New York; the past session where the answer describes one. */
export const today: Input<IsoDate> = {
  kind: 'market',
  moves: false,
  find: ({ session, request: { source } }) => session ?? easternDate(source.now()),
  version: (date) => date
}
