import { findRoom } from './data-folder.ts'

export interface StorageWatchOptions {
  readonly folder: string
  /** Called with the reason when the disk begins to refuse writes, and with undefined when it accepts them again. */
  readonly onChange: (failure: string | undefined) => void
  /** Returns why the folder accepts no writes; undefined if it does. Default: writes and removes a small file. */
  readonly tryWrite?: (folder: string) => Promise<string | undefined>
}

/** How often the data folder is checked, milliseconds. */
const CHECK_EVERY = 5000

/**
 * Checks every few seconds whether the data folder can be written to, so that a full disk is reported before anything
 * is lost.
 */
export class StorageWatch {
  readonly #options: Required<StorageWatchOptions>
  #failure: string | undefined
  #checking: Promise<string | undefined> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: StorageWatchOptions) {
    this.#options = { tryWrite: findRoom, ...options }
  }

  /** Why the data folder accepted no writes at the last check; undefined if it did. */
  get failure(): string | undefined {
    return this.#failure
  }

  start(): void {
    this.#timer ??= setInterval(() => this.check(), CHECK_EVERY).unref()
  }

  /** Checks the data folder now and resolves to the failure, if any. Callers during a check share it. */
  check(): Promise<string | undefined> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#checking
  }

  async #check(): Promise<string | undefined> {
    const { folder, onChange, tryWrite } = this.#options
    const before = this.#failure
    this.#failure = await tryWrite(folder)
    if (this.#failure !== before) onChange(this.#failure)
    return this.#failure
  }
}
