import type { Database } from './database.ts'
import { openDatabase } from './sqlite.ts'

/**
 * Opens the accounts: on the PostgreSQL server of an address, or else in the file of the data folder. Whoever has no
 * server loads nothing for one.
 */
export async function openAccounts(folder: string, address: string | undefined): Promise<Database> {
  if (address === undefined) return openDatabase(folder)
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres(address)
}
