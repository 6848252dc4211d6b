import { diskReason } from '../accounts/data-folder.ts'
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

/** The data folder, locked so that no other service uses it. */
export interface FolderClaim {
  /** Secret text in the folder. Commands send it to the service to prove that they can read the folder. */
  readonly token: string
  /** Writes the addresses of this service into the folder, where commands find them. */
  tell(addresses: Pick<RunningService, 'rest' | 'replay' | 'stream' | 'address'>): void
}

/**
 * Locks the data folder. Only one service may use it, because each service keeps accounts, counts and the state of the
 * archive in memory. Throws an error that names the service that has the lock.
 */
export function claimFolder(data: string, shutdown: Shutdown): FolderClaim {
  const lock = lockFolder(data)
  if (lock === undefined) throw new ConfigError([refusal(data, readServiceFile(data))])
  shutdown.add(() => lock.release())
  removeFile(data) // a process that crashed may have left it behind
  const token = newToken()
  const service = { pid: process.pid, since: isoInstant(Date.now()), token }
  shutdown.add(() => removeFile(data))
  const tell: FolderClaim['tell'] = (addresses) => {
    try {
      writeServiceFile(data, { ...service, ...addresses })
    } catch (error) {
      // On a full disk commands do not find the service, which answers all the same.
      if (diskReason(error) === undefined) throw asStorageError(error, data)
    }
  }
  tell({})
  return { token, tell }
}

function removeFile(data: string): void {
  try {
    removeServiceFile(data)
  } catch (error) {
    if (diskReason(error) === undefined) throw error
  }
}

function refusal(data: string, service: RunningService | undefined): string {
  const advice = 'stop that one first, or choose another folder with --data'
  if (service === undefined) return `the data folder ${data} belongs to a service of another process: ${advice}`
  const { pid, rest, since } = service
  const place = rest === undefined ? '' : ` at ${rest}`
  const time = since === undefined ? '' : `, running since ${since}`
  return `the data folder ${data} belongs to the service of process ${pid}${place}${time}: ${advice}`
}
