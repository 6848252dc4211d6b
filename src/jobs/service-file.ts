import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a running service tells commands on the same machine through a file in its data folder. */
export interface RunningService {
  readonly pid: number
  /** Start time, ISO 8601; absent for a service of an older version. */
  readonly since?: string | undefined
  /** Address of the REST interface; undefined while it starts. */
  readonly rest?: string | undefined
  /**
   * Address of the operator port, without a trailing slash, where jobs on the archive are accepted. Undefined while it
   * starts, or if the service has no archive in the folder.
   */
  readonly address?: string | undefined
  /** Proves that a caller may read the data folder. */
  readonly token: string
}

/** Makes a token that cannot be guessed. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

const fileIn = (data: string) => join(data, 'service.json')

/** Writes the file of a running service, readable by its owner only. Returns a function that removes it. */
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

/** Removes the file left by a service that crashed. Only for callers with exclusive use of the folder. */
export function removeServiceFile(data: string): void {
  rmSync(fileIn(data), { force: true })
}

/** The service last started on a data folder whose file is still there; it may have died since. */
export function readServiceFile(data: string): RunningService | undefined {
  try {
    const { pid, since, rest, address, token } = JSON.parse(readFileSync(fileIn(data), 'utf8'))
    const addresses = [rest, address].every((text) => text === undefined || /^http:\/\//.test(text))
    const isService = Number.isInteger(pid) && addresses && typeof token === 'string'
    return isService ? { pid, since: isText(since) ? since : undefined, rest, address, token } : undefined
  } catch {
    return undefined // no file, or not a service file
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Whether the service's process still exists. */
export function isAlive({ pid }: RunningService): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
