import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Content of a file in the data folder by which a running service announces itself to commands on the same machine. */
export interface RunningService {
  readonly pid: number
  /** Start time, ISO 8601; absent for a service of an older version. */
  readonly since?: string | undefined
  /** Address of the REST API; undefined while the service starts. */
  readonly rest?: string | undefined
  /** Addresses of the historical host and of the stream, http:; undefined while the service starts. */
  readonly replay?: string | undefined
  readonly stream?: string | undefined
  /**
   * Address of the operator port, which accepts jobs on the archive, without a trailing slash. Undefined while the
   * service starts, or if it has no archive in the folder.
   */
  readonly address?: string | undefined
  /** Secret that proves that a caller may read the data folder. */
  readonly token: string
}

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

const fileIn = (data: string) => join(data, 'service.json')

/** Writes the file of a running service, readable only by its owner. Returns a function that removes the file. */
export function writeServiceFile(data: string, service: RunningService): () => void {
  const file = fileIn(data)
  const fresh = `${file}.${service.pid}`
  mkdirSync(data, { recursive: true, mode: 0o700 })
  rmSync(fresh, { force: true })
  try {
    writeFileSync(fresh, `${JSON.stringify(service)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true }) // may have been cut short by a full disk
    throw error
  }
  return () => {
    if (readServiceFile(data)?.token === service.token) rmSync(file, { force: true })
  }
}

/** Removes the file left behind by a service that crashed. Only for callers with exclusive use of the folder. */
export function removeServiceFile(data: string): void {
  rmSync(fileIn(data), { force: true })
}

/** Reads the service file of a data folder. The service may have crashed since it wrote the file. */
export function readServiceFile(data: string): RunningService | undefined {
  try {
    const { pid, since, rest, replay, stream, address, token } = JSON.parse(readFileSync(fileIn(data), 'utf8'))
    const addresses = [rest, replay, stream, address].every((text) => text === undefined || /^http:\/\//.test(text))
    const isService = Number.isInteger(pid) && addresses && typeof token === 'string'
    if (!isService) return undefined
    return { pid, since: isText(since) ? since : undefined, rest, replay, stream, address, token }
  } catch {
    return undefined // no file, or not a service file
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

export function isAlive({ pid }: RunningService): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
