import type { Instant } from '../../market/units.ts'
import type { Input } from './input.ts'

/** The wall-clock moment of the request, for calculators that date their answer. */
export const now: Input<Instant> = {
  kind: 'service',
  moves: false,
  find: ({ facts }) => facts!.now,
  version: () => ''
}
