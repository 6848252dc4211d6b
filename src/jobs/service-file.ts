import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a command line on the same machine finds the service that has the data folder. */
export interface RunningService {
  readonly pid: number
  /** The address of the operator's port, without a slash at its end. */
  readonly address: string
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
  writeFileSync(fresh, `${JSON.stringify(service)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(fresh, file)
  return () => {
    if (readServiceFile(data)?.token === service.token) rmSync(file, { force: true })
  }
}

/** The service that was last started on a data folder and did not remove its file; it may have died since. */
export function readServiceFile(data: string): RunningService | undefined {
  try {
    const { pid, address, token } = JSON.parse(readFileSync(fileIn(data), 'utf8'))
    const isWord = Number.isInteger(pid) && /^http:\/\//.test(address) && typeof token === 'string'
    return isWord ? { pid, address, token } : undefined
  } catch {
    return undefined // there is no file, or it is something else
  }
}

/** Whether the process of a service is still there. */
export function isAlive({ pid }: RunningService): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
