import { findRoom } from './data-folder.ts'

export interface StorageWatchOptions {
  /** The data folder. */
  readonly folder: string
  /** The disk began to refuse writes for this reason, or takes them again. */
  readonly onChange: (failure: string | undefined) => void
  /** Why the folder takes no writes; undefined where it does. Default: a small file is written into it and removed. */
  readonly tryWrite?: (folder: string) => Promise<string | undefined>
}

/** Between two looks, milliseconds. */
const LOOK_EVERY = 5000

/** Looks every few seconds whether the data folder takes writes, so that a full disk is told before anything is lost. */
export class StorageWatch {
  readonly #options: Required<StorageWatchOptions>
  #failure: string | undefined
  #looking: Promise<string | undefined> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: StorageWatchOptions) {
    this.#options = { tryWrite: findRoom, ...options }
  }

  /** Why the data folder took no writes at the last look; undefined where it did. */
  get failure(): string | undefined {
    return this.#failure
  }

  start(): void {
    this.#timer ??= setInterval(() => this.look(), LOOK_EVERY).unref()
  }

  /** Looks now. Resolves to what was found; those who ask meanwhile share one look. */
  look(): Promise<string | undefined> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** Resolves once no look is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await this.#looking
  }

  async #look(): Promise<string | undefined> {
    const { folder, onChange, tryWrite } = this.#options
    const before = this.#failure
    this.#failure = await tryWrite(folder)
    if (this.#failure !== before) onChange(this.#failure)
    return this.#failure
  }
}
