import { Day, Nullable } from '../../api/quantity.ts'

/** Repeats the requested expiration in the response. */
export const expiryAsked = Nullable(Day('the requested expiration; null for all of them'))
