import { parentPort, workerData } from 'node:worker_threads'
import type { Note } from '../imports/import-writer.ts'
import type { FromThread, Reply, ThreadOrder } from './message.ts'
import { type JobStore, runJob } from './run-job.ts'
import { deserializeError, serializeError } from './serialized-error.ts'

/** The program of a thread that does one job. */
const port = parentPort!
const { job, ...surroundings } = workerData as ThreadOrder
const stopping = new AbortController()
const waiting = new Map<number, (reply: Reply) => void>()
let lastCall = 0

port.on('message', (message: Reply | 'stop') => {
  if (message === 'stop') return stopping.abort()
  waiting.get(message.id)?.(message)
  waiting.delete(message.id)
})

const send = (message: FromThread) => port.postMessage(message)

/** What the thread that owns the archive does in our place. */
type Far = JobStore & { readonly tell: (note: Note) => Promise<void> }

function ask<Method extends keyof Far>(method: Method): Far[Method] {
  const call = (...args: unknown[]) =>
    new Promise((resolve, reject) => {
      const id = ++lastCall
      waiting.set(id, (reply) => ('fault' in reply ? reject(deserializeError(reply)) : resolve(reply.result)))
      send({ id, method, args })
    })
  return call as Far[Method]
}

const store: JobStore = {
  writeSnapshots: ask('writeSnapshots'),
  writeBars: ask('writeBars'),
  writeRecords: ask('writeRecords'),
  bars: ask('bars'),
  closingSnapshot: ask('closingSnapshot'),
  coverage: ask('coverage'),
  exportQuotes: ask('exportQuotes')
}

try {
  const listener = { tell: ask('tell'), signal: stopping.signal }
  send({ outcome: await runJob(job, { store, ...surroundings }, listener) })
} catch (error) {
  send(serializeError(error))
}
