import { lockFolder } from '../accounts/folder-lock.ts'
import { asStorageError } from '../accounts/storage-error.ts'
import { ConfigError } from '../config/config.ts'
import {
  newToken,
  type RunningService,
  readServiceFile,
  removeServiceFile,
  writeServiceFile
} from '../jobs/service-file.ts'
import { isoInstant } from '../market/units.ts'
import type { Shutdown } from './shutdown.ts'

/** The data folder, which belongs to this service until it ends. */
export interface FolderClaim {
  /** Proves to this service that a caller may read the folder. */
  readonly token: string
  /** Writes into the folder where this service answers. */
  tell(addresses: Pick<RunningService, 'rest' | 'address'>): void
}

/**
 * Takes the data folder: accounts, counts and archive have one service at a time, since each keeps in memory what
 * another one would change. Throws a sentence that names the service which has it.
 */
export function claimFolder(data: string, shutdown: Shutdown): FolderClaim {
  const lock = lockFolder(data)
  if (lock === undefined) throw new ConfigError([refusal(data, readServiceFile(data))])
  shutdown.add(() => lock.release())
  removeServiceFile(data) // the process that wrote it has ended without removing it
  const token = newToken()
  const service = { pid: process.pid, since: isoInstant(Date.now()), token }
  shutdown.add(() => removeServiceFile(data))
  const tell: FolderClaim['tell'] = (addresses) => {
    try {
      writeServiceFile(data, { ...service, ...addresses })
    } catch (error) {
      throw asStorageError(error, data)
    }
  }
  tell({})
  return { token, tell }
}

function refusal(data: string, service: RunningService | undefined): string {
  const advice = 'stop that one first, or choose another folder with --data'
  if (service === undefined) return `the data folder ${data} belongs to a service of another process: ${advice}`
  const { pid, rest, since } = service
  const place = rest === undefined ? '' : ` at ${rest}`
  const time = since === undefined ? '' : `, running since ${since}`
  return `the data folder ${data} belongs to the service of process ${pid}${place}${time}: ${advice}`
}
