import { figures } from '../service/figures.ts'

/** The account behind the session, as it is now: it has no past. */
export const account = figures('/v1/account', { params: () => ({}), at: () => undefined })
