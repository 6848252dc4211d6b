import { Accounts } from '../accounts/accounts.ts'
import { lackOfRoom } from '../accounts/data-folder.ts'
import type { Database } from '../accounts/database.ts'
import { ensureDemoKeys, type IssuedDemoKeys } from '../accounts/demo-keys.ts'
import { EndedSessions } from '../accounts/ended-sessions.ts'
import { openAccounts } from '../accounts/open-accounts.ts'
import { type QuotaCounters, StoredQuota } from '../accounts/quota.ts'
import { READ_SECRETS_EVERY, Secrets } from '../accounts/secrets.ts'
import { StorageWatch } from '../accounts/storage-watch.ts'
import type { Brand } from '../api/brand/brand.ts'
import { type ReplaceablePlans, replaceablePlans } from '../api/plan.ts'
import type { Config } from '../config/config.ts'
import type { Presets } from '../config/presets.ts'
import { steadyNow } from '../facts/steady-clock.ts'
import { createLog, type Log, type Logging } from '../server/operations/log.ts'
import { createMetrics, type Metrics } from '../server/operations/metrics.ts'
import { claimFolder, type FolderClaim } from './folder-claim.ts'
import type { Shutdown } from './shutdown.ts'

/** How often counts are moved from the side file of the accounts into the database, milliseconds. */
const CHECKPOINT_EVERY = 60_000

const NOTIFIED = 'changes of accounts by other services are known at once'
const NOT_NOTIFIED =
  'notifications of the database do not arrive, as behind some poolers: changes by others are known a moment later'

/** How often changes of accounts by other processes are looked for, milliseconds. */
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
  /** The operator's brand, replaced as a whole. */
  readonly brand: { current: Brand }
  readonly accounts: Accounts
  /** Secrets of the tokens of browsers, and the sessions that were ended early. */
  readonly secrets: Secrets
  readonly endedSessions: EndedSessions
  readonly quota: QuotaCounters
  /** Why counts cannot be written to the data folder; undefined if they can, or lie elsewhere. */
  readonly unwritten: () => unknown
  readonly storage: StorageWatch
  /** API keys of the demo users; undefined if there are none. */
  readonly demoKeys: IssuedDemoKeys | undefined
}

export async function openFoundations(config: Config, shutdown: Shutdown): Promise<Foundations> {
  const { data } = config
  const claim = claimFolder(data, shutdown)
  const lack = lackOfRoom(data)
  const { log, request: logRequest, flush } = createLog(config.logLevel)
  shutdown.add(flush)
  const database = await openAccounts(data, config.accounts)
  shutdown.add(() => database.close())
  if (lack !== undefined) log.error({ reason: lack }, 'the data folder takes no writes: what lies there is served')
  if (database.loss !== undefined) log.error(`${database.loss}; restore a backup with gammawall restore`)
  const moving = setInterval(() => database.checkpoint(), CHECKPOINT_EVERY).unref()
  shutdown.add(() => clearInterval(moving))
  const plans = replaceablePlans(config.plans)
  const accounts = new Accounts(database, plans, Date.now, config.accountsGrace)
  const refresh = refreshed(accounts, log)
  const refreshing = setInterval(refresh, REFRESH_EVERY).unref()
  database.onNotice(refresh, (arrives) => (arrives ? log.info(NOTIFIED) : log.warn(NOT_NOTIFIED)))
  shutdown.add(() => clearInterval(refreshing))
  const secrets = await Secrets.open(database, Date.now)
  const readSecrets = () =>
    secrets.read().catch((error: unknown) => log.warn({ err: error }, 'secrets could not be read; those known go on'))
  const reading = setInterval(readSecrets, READ_SECRETS_EVERY).unref()
  shutdown.add(() => clearInterval(reading))
  const endedSessions = new EndedSessions(database, Date.now)
  await endedSessions.read()
  accounts.onChange(() => {
    endedSessions.read().catch((error: unknown) => log.warn({ err: error }, 'ended sessions could not be read'))
  })
  const stored = new StoredQuota(database, {
    now: Date.now,
    isShared: database.sharing !== undefined,
    onError: (error) => log.error({ err: error }, 'usage could not be written; it is kept and tried every second'),
    onRecovered: () => log.info('usage is written again, what was kept included')
  })
  const quota = await quotaOver(database, stored, config, log)
  shutdown.add(async () => {
    await quota.close()
    const { waiting } = stored
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
  const demoKeys = config.accounts === undefined ? await ensureDemoKeys(accounts, data) : undefined
  return {
    claim,
    log,
    logRequest,
    metrics: createMetrics(),
    database,
    plans,
    presets: { current: config.presets },
    brand: { current: config.brand },
    accounts,
    secrets,
    endedSessions,
    quota,
    unwritten: () => (database.sharing === undefined ? stored.failure : undefined),
    storage,
    demoKeys
  }
}

/** Counts requests in this service alone, or together with others that use the same database. */
async function quotaOver(
  database: Database,
  unlimited: StoredQuota,
  { quotaWhenLost: whenLost }: Config,
  log: Log
): Promise<QuotaCounters> {
  const { sharing } = database
  if (sharing === undefined) return unlimited
  const { SharedQuota } = await import('../accounts/shared-quota.ts')
  return new SharedQuota(sharing, database, {
    unlimited,
    wallNow: Date.now,
    steadyNow,
    whenLost,
    onLost: (error) => log.error({ err: error }, 'requests cannot be counted: the database of the accounts is silent'),
    onFound: () => log.info('requests are counted again')
  })
}

/** Makes the function that looks for changes of accounts. That it cannot is logged once, until it can again. */
function refreshed(accounts: Accounts, log: Log): () => Promise<void> {
  let fails = false
  return async () => {
    try {
      await accounts.refresh()
      if (fails) log.info('changes of accounts are read again')
      fails = false
    } catch (error) {
      if (!fails) log.error({ err: error }, 'changes of accounts cannot be read; what is known of them holds')
      fails = true
    }
  }
}
