import { Accounts } from '../../accounts/accounts.ts'
import { type Database, openDatabase } from '../../accounts/database.ts'
import type { Config } from '../../config/config.ts'

/**
 * Opens the accounts in the data folder, calls `work` and closes them. A running service sees the changes within a
 * second.
 */
export function withAccounts<Result>(config: Config, work: (accounts: Accounts) => Result): Result {
  return withDatabase(config, (database) => work(new Accounts(database, config.plans)))
}

export function withDatabase<Result>(config: Config, work: (database: Database) => Result): Result {
  const database = openDatabase(config.data)
  try {
    return work(database)
  } finally {
    database.close()
  }
}
