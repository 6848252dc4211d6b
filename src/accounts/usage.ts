import { dateOfEpochDay, epochDay, type IsoDate } from '../market/units.ts'
import type { Database } from './database.ts'

/** Number of requests of one user on one UTC day. */
export interface DailyUsage {
  readonly date: string
  readonly requests: number
  /** How many of them were of embedded panels. */
  readonly ofPanels: number
}

export interface UserUsage extends DailyUsage {
  readonly userId: string
  readonly email: string
  readonly plan: string
}

/** Days of usage that users are shown, including today. */
export const SHOWN_DAYS = 90

/** The first day of usage shown to a user on `today`. */
export function firstShownDay(today: IsoDate): IsoDate {
  return dateOfEpochDay(epochDay(today) - (SHOWN_DAYS - 1))
}

/** Stored request counts of a user by day, from `first` on, oldest first. Days without requests are left out. */
export async function usageOfUser(
  { read }: Pick<Database, 'read'>,
  userId: string,
  first: string
): Promise<DailyUsage[]> {
  const query = read
    .selectFrom('usage')
    .select(['day', 'count', 'panel_count'])
    .where('user_id', '=', userId)
    .where('day', '>=', first)
    .where('count', '>', 0)
    .orderBy('day')
  const rows = await query.execute()
  return rows.map((row) => ({ date: row.day, requests: row.count, ofPanels: row.panel_count }))
}

/** Stored request counts of all users from `first` to `last`, both included, sorted by day, then by email. */
export async function usageOfAll({ read }: Pick<Database, 'read'>, first: string, last: string): Promise<UserUsage[]> {
  const query = read
    .selectFrom('usage')
    .innerJoin('users', 'users.id', 'usage.user_id')
    .select(['usage.day', 'usage.count', 'usage.panel_count', 'users.id', 'users.email', 'users.plan'])
    .where('usage.day', '>=', first)
    .where('usage.day', '<=', last)
    .where('usage.count', '>', 0)
    .orderBy('usage.day')
    .orderBy('users.email')
  const rows = await query.execute()
  return rows.map(({ day, count, panel_count: ofPanels, id, email, plan }) => {
    return { date: day, requests: count, ofPanels, userId: id, email, plan }
  })
}
