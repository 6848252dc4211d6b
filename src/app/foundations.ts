import { Accounts } from '../accounts/accounts.ts'
import { type Database, openDatabase } from '../accounts/database.ts'
import { ensureDemoKeys } from '../accounts/demo-keys.ts'
import { StoredQuota } from '../accounts/quota.ts'
import type { Config } from '../config/config.ts'
import { createLog, type Log, type Logging } from '../server/operations/log.ts'
import { createMetrics, type Metrics } from '../server/operations/metrics.ts'
import type { Shutdown } from './shutdown.ts'

/** The parts that all others need: log, metrics, accounts and their quota. */
export interface Foundations {
  readonly log: Log
  readonly logRequest: Logging['request']
  readonly metrics: Metrics
  readonly database: Database
  readonly accounts: Accounts
  readonly quota: StoredQuota
  /** Keys of the demo users, where there are any. */
  readonly demoKeys: ReturnType<typeof ensureDemoKeys>
}

export function openFoundations(config: Config, shutdown: Shutdown): Foundations {
  const { log, request: logRequest, flush } = createLog(config.logLevel)
  shutdown.add(flush)
  const database = openDatabase(config.data)
  shutdown.add(() => database.close())
  const accounts = new Accounts(database, config.plans)
  const onError = (error: unknown) =>
    log.error({ err: error }, 'usage could not be written; it is kept and tried again')
  const quota = new StoredQuota(database, { now: Date.now, onError })
  shutdown.add(() => quota.close())
  const demoKeys = ensureDemoKeys(accounts, config.data)
  return { log, logRequest, metrics: createMetrics(), database, accounts, quota, demoKeys }
}
