import { Day, Nullable } from '../../api/quantity.ts'

/** Echo of the requested expiration. */
export const expiryAsked = Nullable(Day('the expiration asked for; null for all of them'))
