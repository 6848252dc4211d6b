import { audit } from '../accounts/audit.ts'
import type { Database } from '../accounts/database.ts'
import type { User } from '../accounts/users.ts'
import type { IsoDate } from '../market/units.ts'

/**
 * Moves the day a subscription began, which decides over same-day expirations (interface specification,
 * "Authentication" 6). The terms of a subscription are its plan and this day, so both are audited as user.set_plan.
 */
export function setSubscribedOn(database: Database, user: User, day: IsoDate, actor: string, now: number): User {
  return database.durably(() => {
    database.run(database.build.updateTable('users').set({ subscribed_on: day }).where('id', '=', user.id))
    const detail = { plan: user.plan, subscribedFrom: user.subscribedOn, subscribedTo: day }
    audit(database, now, { actor, action: 'user.set_plan', target: user.email, detail })
    return { ...user, subscribedOn: day }
  })
}
