import { Accounts } from '../../accounts/accounts.ts'
import type { Database } from '../../accounts/database.ts'
import { openAccounts } from '../../accounts/open-accounts.ts'
import type { Config } from '../../config/config.ts'

/**
 * Opens the accounts, calls `work` and closes them. A running service sees the changes within a
 * second.
 */
export function withAccounts<Result>(config: Config, work: (accounts: Accounts) => Promise<Result>): Promise<Result> {
  return withDatabase(config, (database) => work(new Accounts(database, config.plans)))
}

export async function withDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>
): Promise<Result> {
  const database = await openAccounts(config.data, config.accounts)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
