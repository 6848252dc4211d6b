/** Listener of a job: receives its notes; `signal` ends it early. */
export interface WorkListener {
  readonly onNote: (note: object) => void | Promise<void>
  readonly signal: AbortSignal
}

/** Work that can be ended early and begun again, since it leaves out what it has done before. */
export type Work = (listener: WorkListener) => Promise<object>

/** How far work is, in units of its own. */
export interface JobProgress {
  /** What is being made or read just now. */
  readonly what: string
  /** Symbol that it is of, where it is of one. */
  readonly symbol?: string | undefined
  /** Snapshots of that symbol which stand in the archive. */
  readonly stored?: number | undefined
  readonly done: number
  readonly total: number
}

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
  #progress: JobProgress | undefined
  #isStopped = false

  get isBusy(): boolean {
    return this.#asked !== undefined
  }

  /** How far the work in the background is; undefined if none is left. */
  get progress(): JobProgress | undefined {
    return this.#again === undefined ? undefined : (this.#progress ?? BEGUN)
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
      const onNote = (note: object) => {
        if (isProgress(note)) this.#progress = note
      }
      const ended = work({ onNote, signal: stop.signal }).then(
        () => end({}),
        (error) => end({ error })
      )
      this.#background = { stop, ended }
    }
    this.#again()
  }

  /** Ends the work in the background at the next chance and begins it again, since it would now do something else first. */
  async beginAgain(): Promise<void> {
    await this.#endBackground()
    this.#again?.()
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

/** Progress of work that has not said how much it is. */
const BEGUN: JobProgress = { what: 'history', done: 0, total: 0 }

const isProgress = (note: object): note is JobProgress => 'kind' in note && note.kind === 'progress'
