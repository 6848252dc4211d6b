import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface DailyBackupOptions {
  /** Folder with a backup for each of the last days, named by its UTC date. */
  readonly folder: string
  readonly kept: number
  readonly now: () => number
  /** Makes a backup in a new folder. */
  readonly backUp: (target: string, signal: AbortSignal) => Promise<void>
  readonly onMade: (target: string) => void
  readonly onError: (error: unknown) => void
}

/** How often it is checked whether today's backup exists, milliseconds. A restart makes no second one. */
const CHECK_EVERY = 600_000
const dated = /^\d{4}-\d{2}-\d{2}$/

/** Makes a backup on each UTC day and deletes those beyond the newest `kept`. */
export class DailyBackup {
  readonly #options: DailyBackupOptions
  readonly #end = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined

  constructor(options: DailyBackupOptions) {
    this.#options = options
  }

  start(): void {
    void this.check()
    this.#timer = setInterval(() => void this.check(), CHECK_EVERY).unref()
  }

  /** Gives up a backup that is being made. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#end.abort()
    await this.#working
  }

  /** Makes today's backup unless it exists. Callers meanwhile share the work. */
  check(): Promise<void> {
    this.#working ??= this.#check().finally(() => {
      this.#working = undefined
    })
    return this.#working
  }

  async #check(): Promise<void> {
    const { folder, kept, now, backUp, onMade, onError } = this.#options
    const today = new Date(now()).toISOString().slice(0, 10)
    try {
      if (backupsIn(folder).includes(today)) return
      const target = join(folder, today)
      await backUp(target, this.#end.signal)
      onMade(target)
      for (const old of backupsIn(folder).slice(0, -kept)) await rm(join(folder, old), { recursive: true })
    } catch (error) {
      if (!this.#end.signal.aborted) onError(error)
    }
  }
}

/** Names of the backups in a folder, oldest first. */
function backupsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => dated.test(name))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Runs the command `backup` in a process of its own, so that a large copy takes no time from requests. */
export function backUpByCommand(data: string): DailyBackupOptions['backUp'] {
  return (target, signal) =>
    new Promise((resolve, reject) => {
      const program = [...process.execArgv, process.argv[1]!, 'backup', target, '--data', data]
      const child = spawn(process.execPath, program, { stdio: ['ignore', 'ignore', 'pipe'], signal })
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => {
        said = (said + chunk).slice(-1000)
      })
      child.on('error', reject)
      child.on('close', (code) => {
        if (code === 0) resolve()
        else reject(new Error(`the backup ended with exit code ${code}: ${said.trim()}`))
      })
    })
}
