/** Listener of a job: receives its notes; `signal` ends it early. */
export interface WorkListener {
  readonly onNote: (note: object) => void | Promise<void>
  readonly signal: AbortSignal
}

/** Work that can be ended early and begun again, since it leaves out what it has done before. */
export type Work = (listener: WorkListener) => Promise<object>

interface Running {
  readonly stop: AbortController
  readonly ended: Promise<void>
}

/**
 * Runs one job at a time. Work in the background ends as soon as somebody asks for another job, and begins again when that
 * one is over.
 */
export class JobRunner {
  #asked: Running | undefined
  #background: Running | undefined
  /** Begins the background work again; undefined if none is left. */
  #again: (() => void) | undefined
  #isStopped = false

  get isBusy(): boolean {
    return this.#asked !== undefined
  }

  /** Runs a job that somebody asked for. It must not be called while another such job runs. */
  async run(work: Work, { onNote, signal }: WorkListener): Promise<object> {
    if (this.#asked !== undefined) throw new Error('another job is running')
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    const done = this.#endBackground().then(() => work({ onNote, signal: either }))
    const ended = done.then(
      () => {},
      () => {}
    )
    this.#asked = { stop, ended }
    try {
      return await done
    } finally {
      this.#asked = undefined
      this.#again?.()
    }
  }

  /** Runs work whenever no other job runs, until it ends by itself. `onEnd` gets its outcome or its failure. */
  inBackground(work: Work, onEnd: (outcome: { readonly error?: unknown }) => void): void {
    this.#again = () => {
      if (this.#isStopped || this.#asked !== undefined || this.#background !== undefined) return
      const stop = new AbortController()
      const end = (outcome: { readonly error?: unknown }) => {
        this.#background = undefined
        if (stop.signal.aborted) return
        this.#again = undefined
        onEnd(outcome)
      }
      const ended = work({ onNote: () => {}, signal: stop.signal }).then(
        () => end({}),
        (error) => end({ error })
      )
      this.#background = { stop, ended }
    }
    this.#again()
  }

  /** Ends what runs at the next chance. Resolves when nothing runs. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#asked?.stop.abort()
    await Promise.all([this.#asked?.ended, this.#endBackground()])
  }

  async #endBackground(): Promise<void> {
    this.#background?.stop.abort()
    await this.#background?.ended
  }
}
