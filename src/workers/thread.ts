import { Worker } from 'node:worker_threads'
import { noteReceived } from '../market/chain.ts'
import {
  type Call,
  type CallOutcome,
  type FromThread,
  isPriced,
  type ToThread,
  type TransferredChain
} from './protocol.ts'
import { deserializeError, serializeError } from './serialized-error.ts'

/**
 * Room for short-lived objects, three times one semi-space. All exposure answers of a large chain leave some 15 MB of
 * them, which would mean a collection each time in V8's default 16 MB. Twice as much takes 80 MB more and answers no
 * sooner.
 */
const MAX_YOUNG_GENERATION_SIZE_MB = 96

/** Methods of the owner that a task may call, by name. */
export type Calls = Readonly<Record<string, (...args: never[]) => unknown>>

export interface ThreadOptions {
  /** The compiled program, which ends in `serveTasks`. */
  readonly program: URL
  readonly workerData?: unknown
  /** Room for short-lived objects, three times one semi-space, if not the default. */
  readonly maxYoungGenerationSizeMb?: number
  /** The error for unfinished tasks once the thread has ended, from what it threw or its exit code. */
  readonly lost: (thrown: Error | undefined, code: number) => Error
}

interface Running {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  readonly calls: Calls
}

let lastId = 0

/** An id for a task, unique in this process; a chain that is its result is referred to by it on every thread. */
export const nextTaskId = () => ++lastId

/** A thread as its owner sees it: it runs tasks, several at a time while they wait, until it is closed or dies. */
export class Thread {
  /** Resolves once the thread takes tasks. */
  readonly ready: Promise<void>
  readonly #worker: Worker
  readonly #running = new Map<number, Running>()
  /** The error for tasks once the thread has ended. */
  #ended: Error | undefined
  /** How it has ended. */
  #exit: Error | undefined
  #onExit: ((error: Error) => void) | undefined

  constructor({ program, workerData, lost, maxYoungGenerationSizeMb = MAX_YOUNG_GENERATION_SIZE_MB }: ThreadOptions) {
    const worker = new Worker(program, { workerData, resourceLimits: { maxYoungGenerationSizeMb } })
    let thrown: Error | undefined
    this.#worker = worker
    this.ready = new Promise((resolve, reject) => {
      worker.once('exit', (code) => reject(thrown ?? new Error(`a worker ended with code ${code} before it was ready`)))
      worker.on('message', (message: FromThread) => ('ready' in message ? resolve() : this.#take(message)))
    })
    this.ready.catch(() => {}) // reported by the code that awaits it
    worker.on('error', (error) => (thrown = error))
    worker.on('exit', (code) => {
      this.#ended = lost(thrown, code)
      for (const { reject } of this.#running.values()) reject(this.#ended)
      this.#running.clear()
      this.#exit = thrown ?? new Error(`a worker ended with code ${code}`)
      this.#onExit?.(this.#exit)
    })
  }

  /** Calls back when the thread ends, with its error; at once if it has ended already. */
  onExit(listener: (error: Error) => void): this {
    this.#onExit = listener
    if (this.#exit !== undefined) listener(this.#exit)
    return this
  }

  /** False once the thread has ended. */
  get alive(): boolean {
    return this.#ended === undefined
  }

  /** Tasks accepted and not finished. */
  get pending(): number {
    return this.#running.size
  }

  /**
   * Runs one task; rejects with the error from `lost` if the thread ends. `signal` asks the task to stop in its own
   * way.
   */
  run(
    id: number,
    task: string,
    args: unknown,
    more: { readonly chains?: readonly TransferredChain[]; readonly calls?: Calls; readonly signal?: AbortSignal } = {}
  ): Promise<unknown> {
    const { chains = [], calls = {}, signal } = more
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const result = new Promise((resolve, reject) => {
      this.#send({ id, task, args, chains })
      this.#running.set(id, { resolve, reject, calls })
    })
    if (signal === undefined) return result
    const abort = () => this.#send({ abort: id })
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return result.finally(() => signal.removeEventListener('abort', abort))
  }

  /** Lets the thread drop a chain; with `givesBack` it may reuse its memory, as nothing else uses it. */
  forget(ref: number, givesBack: boolean): void {
    this.#send({ forget: ref, givesBack })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  #take(message: Exclude<FromThread, { readonly ready: true }>): void {
    const running = this.#running.get(message.id)
    if (running === undefined) return
    if ('call' in message) {
      void this.#answerCall(message, running.calls)
      return
    }
    this.#running.delete(message.id)
    if ('error' in message) running.reject(deserializeError(message.error))
    else {
      if (isPriced(message.result)) noteReceived(message.result)
      running.resolve(message.result)
    }
  }

  async #answerCall({ call, method, args }: Call, calls: Calls): Promise<void> {
    let outcome: CallOutcome
    try {
      outcome = { result: await calls[method](...(args as never[])) }
    } catch (error) {
      outcome = { error: serializeError(error) }
    }
    this.#send({ returned: call, outcome })
  }
}
