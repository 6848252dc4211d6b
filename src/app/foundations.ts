import { Accounts } from '../accounts/accounts.ts'
import { lackOfRoom } from '../accounts/data-folder.ts'
import { type Database, openDatabase } from '../accounts/database.ts'
import { ensureDemoKeys } from '../accounts/demo-keys.ts'
import { StoredQuota } from '../accounts/quota.ts'
import { StorageWatch } from '../accounts/storage-watch.ts'
import { type ReplaceablePlans, replaceablePlans } from '../api/plan.ts'
import type { Config } from '../config/config.ts'
import type { Presets } from '../config/presets.ts'
import { createLog, type Log, type Logging } from '../server/operations/log.ts'
import { createMetrics, type Metrics } from '../server/operations/metrics.ts'
import { claimFolder, type FolderClaim } from './folder-claim.ts'
import type { Shutdown } from './shutdown.ts'

/** How often counts are moved from the side file of the accounts into the database, milliseconds. */
const CHECKPOINT_EVERY = 60_000

/** How often changes of accounts by commands beside the service are looked for, milliseconds. */
const REFRESH_EVERY = 250

/** Parts that all other parts of the service use: data folder, log, metrics, accounts and quota. */
export interface Foundations {
  readonly claim: FolderClaim
  readonly log: Log
  readonly logRequest: Logging['request']
  readonly metrics: Metrics
  readonly database: Database
  /** The plans that are sold now. */
  readonly plans: ReplaceablePlans
  /** The operator's lists of symbols for the screener, replaced as a whole. */
  readonly presets: { current: Presets }
  readonly accounts: Accounts
  readonly quota: StoredQuota
  readonly storage: StorageWatch
  /** API keys of the demo users; undefined if there are none. */
  readonly demoKeys: ReturnType<typeof ensureDemoKeys>
}

export function openFoundations(config: Config, shutdown: Shutdown): Foundations {
  const { data } = config
  const claim = claimFolder(data, shutdown)
  const lack = lackOfRoom(data)
  const { log, request: logRequest, flush } = createLog(config.logLevel)
  shutdown.add(flush)
  const database = openDatabase(data)
  shutdown.add(() => database.close())
  if (lack !== undefined) log.error({ reason: lack }, 'the data folder takes no writes: what lies there is served')
  if (database.loss !== undefined) log.error(`${database.loss}; restore a backup with gammawall restore`)
  const moving = setInterval(() => database.checkpoint(), CHECKPOINT_EVERY).unref()
  shutdown.add(() => clearInterval(moving))
  const plans = replaceablePlans(config.plans)
  const accounts = new Accounts(database, plans)
  const refreshing = setInterval(() => refresh(accounts, log), REFRESH_EVERY).unref()
  shutdown.add(() => clearInterval(refreshing))
  const quota = new StoredQuota(database, {
    now: Date.now,
    onError: (error) => log.error({ err: error }, 'usage could not be written; it is kept and tried every second'),
    onRecovered: () => log.info('usage is written again, what was kept included')
  })
  shutdown.add(async () => {
    await quota.close()
    const { waiting } = quota
    if (waiting > 0) log.error({ users: waiting }, 'the last counts of these users could not be written and are lost')
  })
  const storage = new StorageWatch({
    folder: data,
    onChange: (reason) => {
      if (reason === undefined) {
        database.recover()
        log.info('the data folder takes writes again')
      } else log.error({ reason }, 'the data folder takes no writes: make room; what is counted and recorded waits')
    }
  })
  storage.start()
  if (lack !== undefined) void storage.check() // so that /health knows from the beginning, and the recovery is noticed
  shutdown.add(() => storage.stop())
  const demoKeys = ensureDemoKeys(accounts, data)
  return {
    claim,
    log,
    logRequest,
    metrics: createMetrics(),
    database,
    plans,
    presets: { current: config.presets },
    accounts,
    quota,
    storage,
    demoKeys
  }
}

function refresh(accounts: Accounts, log: Log): void {
  try {
    accounts.refresh()
  } catch (error) {
    log.error({ err: error }, 'changes of accounts cannot be read') // the next request that needs them says so too
  }
}
