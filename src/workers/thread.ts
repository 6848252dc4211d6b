import { setFlagsFromString } from 'node:v8'
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
 * V8 memory for short-lived objects, MB: three times one semi-space. Twice this size took 16 MB more for each worker, and
 * the same processor time for 400 questions of every endpoint about 244 symbols.
 */
const MAX_YOUNG_GENERATION_SIZE_MB = 24

export type Calls = Readonly<Record<string, (...args: never[]) => unknown>>

export interface ThreadOptions {
  /** The compiled program that the thread runs; it ends in `serveTasks`. */
  readonly program: URL
  readonly workerData?: unknown
  /** V8 memory for short-lived objects, MB: three times one semi-space. */
  readonly maxYoungGenerationSizeMb?: number
  /** Makes the error for unfinished tasks after the thread has ended, from the error it threw or its exit code. */
  readonly lost: (thrown: Error | undefined, code: number) => Error
}

interface Running {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
  readonly calls: Calls
}

let lastId = 0

/**
 * Returns a task id, unique in this process. A chain returned by a task is referred to by the task's id on every
 * thread.
 */
export const nextTaskId = () => ++lastId

/**
 * The owner's side of a worker thread. It runs tasks, several at a time while they wait, until it is closed or dies.
 */
export class Thread {
  readonly ready: Promise<void>
  readonly #worker: Worker
  readonly #running = new Map<number, Running>()
  /** Error with which unfinished and new tasks are rejected; set once the thread has ended. */
  #ended: Error | undefined
  /** Error that ended the thread, or one with its exit code. */
  #exit: Error | undefined
  #onExit: ((error: Error) => void) | undefined

  constructor({ program, workerData, lost, maxYoungGenerationSizeMb = MAX_YOUNG_GENERATION_SIZE_MB }: ThreadOptions) {
    // A limit on the command line is meant for the main thread; V8 would take it for every thread.
    setFlagsFromString('--max-semi-space-size=0')
    const worker = new Worker(program, { workerData, resourceLimits: { maxYoungGenerationSizeMb } })
    let thrown: Error | undefined
    this.#worker = worker
    this.ready = new Promise((resolve, reject) => {
      worker.once('exit', (code) => reject(thrown ?? new Error(`a worker ended with code ${code} before it was ready`)))
      worker.on('message', (message: FromThread) => ('ready' in message ? resolve() : this.#take(message)))
    })
    this.ready.catch(() => {})
    worker.on('error', (error) => (thrown = error))
    worker.on('exit', (code) => {
      this.#ended = lost(thrown, code)
      for (const { reject } of this.#running.values()) reject(this.#ended)
      this.#running.clear()
      this.#exit = thrown ?? new Error(`a worker ended with code ${code}`)
      this.#onExit?.(this.#exit)
    })
  }

  /** Calls `listener` with the error when the thread ends; at once if it has ended already. */
  onExit(listener: (error: Error) => void): this {
    this.#onExit = listener
    if (this.#exit !== undefined) listener(this.#exit)
    return this
  }

  get alive(): boolean {
    return this.#ended === undefined
  }

  get pending(): number {
    return this.#running.size
  }

  /**
   * Runs one task; rejects with the error from `lost` if the thread ends. `until` is the moment after which it need not
   * begin any more. `signal` asks the task to stop; the task decides how.
   */
  run(
    id: number,
    task: string,
    args: unknown,
    more: {
      readonly chains?: readonly TransferredChain[]
      readonly until?: number | undefined
      readonly calls?: Calls
      readonly signal?: AbortSignal
    } = {}
  ): Promise<unknown> {
    const { chains = [], until, calls = {}, signal } = more
    if (this.#ended !== undefined) return Promise.reject(this.#ended)
    const result = new Promise((resolve, reject) => {
      this.#send({ id, task, args, chains, until })
      this.#running.set(id, { resolve, reject, calls })
    })
    if (signal === undefined) return result
    const abort = () => this.#send({ abort: id })
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return result.finally(() => signal.removeEventListener('abort', abort))
  }

  /**
   * Tells the thread that it may drop a chain; with `givesBack` nothing else uses the chain, so its memory may be
   * reused.
   */
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
