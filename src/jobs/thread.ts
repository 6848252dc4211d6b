import { Worker } from 'node:worker_threads'
import type { Call, FromThread, Reply, ThreadOrder } from './message.ts'
import type { Outcome, RunJob } from './run-job.ts'
import { deserializeError, serializeError } from './serialized-error.ts'

/** Room for short-lived objects, three times one semi-space: the rows of a chain are some ten megabytes of them. */
const MAX_YOUNG_GENERATION_SIZE_MB = 192

/**
 * The same as `runJob`, on a thread of its own: files are read and chains made there, and only the writing comes back,
 * since the archive belongs to this thread. Chains pass between the two without a copy.
 */
export function runJobOnThread(program: URL): RunJob {
  return (job, { store, seed, assumptions, now }, { tell, signal }) => {
    const workerData: ThreadOrder = { job, seed, assumptions, now }
    const worker = new Worker(program, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_SIZE_MB }
    })
    const stop = () => worker.postMessage('stop')
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()

    async function answer({ id, method, args }: Call): Promise<void> {
      const call = (method === 'tell' ? tell : store[method]) as (...args: unknown[]) => unknown
      let reply: Reply
      try {
        reply = { id, result: await call.apply(store, args) }
      } catch (error) {
        reply = { id, ...serializeError(error) }
      }
      worker.postMessage(reply)
    }

    return new Promise<Outcome>((resolve, reject) => {
      worker.on('message', (message: FromThread) => {
        if ('method' in message) void answer(message)
        else if ('outcome' in message) resolve(message.outcome)
        else reject(deserializeError(message))
      })
      worker.once('error', reject)
      worker.once('exit', (code) => reject(new Error(`the thread of the work ended with code ${code}`)))
    }).finally(() => {
      signal.removeEventListener('abort', stop)
      return worker.terminate()
    })
  }
}
