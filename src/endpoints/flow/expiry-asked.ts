import { Day, Nullable } from '../../api/quantity.ts'

/** The expiration that a request names. */
export const expiryAsked = Nullable(Day('the expiration asked for; null for all of them'))
