import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the service that has the data folder tells a command line on the same machine. */
export interface RunningService {
  readonly pid: number
  /** When it was started, ISO 8601; undefined for a service of an older version. */
  readonly since?: string | undefined
  /** The address of the REST interface; undefined while it starts. */
  readonly rest?: string | undefined
  /**
   * The address of the operator's port, without a slash at its end, where work on the archive of the folder is done.
   * Undefined while it starts, and where the service has no archive in the folder.
   */
  readonly address?: string | undefined
  /** Proves that a caller may read the data folder. */
  readonly token: string
}

/** A token that cannot be guessed. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

const fileIn = (data: string) => join(data, 'service.json')

/** Writes the file of a running service into its data folder, readable by its owner alone. Returns what removes it. */
export function writeServiceFile(data: string, service: RunningService): () => void {
  const file = fileIn(data)
  const fresh = `${file}.${service.pid}`
  mkdirSync(data, { recursive: true, mode: 0o700 })
  rmSync(fresh, { force: true })
  try {
    writeFileSync(fresh, `${JSON.stringify(service)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true }) // cut short by a full disk
    throw error
  }
  return () => {
    if (readServiceFile(data)?.token === service.token) rmSync(file, { force: true })
  }
}

/** Removes the file of a service that ended without doing so: for who has the folder to itself. */
export function removeServiceFile(data: string): void {
  rmSync(fileIn(data), { force: true })
}

/** The service that was last started on a data folder and did not remove its file; it may have died since. */
export function readServiceFile(data: string): RunningService | undefined {
  try {
    const { pid, since, rest, address, token } = JSON.parse(readFileSync(fileIn(data), 'utf8'))
    const addresses = [rest, address].every((text) => text === undefined || /^http:\/\//.test(text))
    const isService = Number.isInteger(pid) && addresses && typeof token === 'string'
    return isService ? { pid, since: isText(since) ? since : undefined, rest, address, token } : undefined
  } catch {
    return undefined // there is no file, or it is something else
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Whether the process of a service is still there. */
export function isAlive({ pid }: RunningService): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
