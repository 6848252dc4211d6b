import type { Config } from '../config/config.ts'
import { listen } from '../server/http/listen.ts'
import type { Drain } from '../server/http/open-connections.ts'
import { createOperations } from '../server/operations/operations.ts'
import type { Foundations } from './foundations.ts'
import { Leadership } from './leadership.ts'
import type { Shutdown } from './shutdown.ts'
import { listenForStop } from './stop-signal.ts'

/**
 * Waits until no other collector leads, so that one at a time asks the vendors. Meanwhile only the admin port listens.
 * Returns how often the leader had changed by then; undefined if the service is to stop before that.
 */
export async function turnToCollect(
  { adminHost, adminPort }: Config,
  { database, log, metrics, claim }: Pick<Foundations, 'database' | 'log' | 'metrics' | 'claim'>,
  drain: Drain,
  shutdown: Shutdown
): Promise<number | undefined> {
  const leadership = new Leadership({
    sharing: database.sharing!,
    role: 'collect',
    onLost() {
      log.error('another collector leads: this one ends, and waits for its turn when it is started again')
      process.kill(process.pid, 'SIGTERM')
    }
  })
  leadership.start()
  shutdown.add(() => leadership.stop())
  if (await isSettledSoon(leadership.gained)) return leadership.fence
  log.info('another collector leads; this one waits')
  const operations = createOperations({ metrics, isReady: () => true, token: claim.token })
  await listen(operations, adminHost, adminPort, drain)
  const stop = listenForStop(process)
  const isLeading = await Promise.race([leadership.gained.then(() => true), stop.requested.then(() => false)])
  stop.dispose()
  await operations.close()
  if (isLeading) log.info('this collector leads now')
  return isLeading ? leadership.fence : undefined
}

/** Milliseconds for the first look. */
const FIRST_LOOK = 1000

function isSettledSoon(settled: Promise<void>): Promise<boolean> {
  return Promise.race([
    settled.then(() => true),
    new Promise<false>((resolve) => void setTimeout(() => resolve(false), FIRST_LOOK))
  ])
}
