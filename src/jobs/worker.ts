import { parentPort, workerData } from 'node:worker_threads'
import type { Note } from '../imports/intake.ts'
import { errorFrom, faultOf } from './fault.ts'
import type { FromThread, Reply, ThreadOrder } from './message.ts'
import { type JobStore, perform } from './perform.ts'

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
      waiting.set(id, (reply) => ('fault' in reply ? reject(errorFrom(reply)) : resolve(reply.result)))
      send({ id, method, args })
    })
  return call as Far[Method]
}

const store: JobStore = {
  writeImages: ask('writeImages'),
  writeBars: ask('writeBars'),
  writeRecords: ask('writeRecords'),
  bars: ask('bars'),
  closingImage: ask('closingImage'),
  coverage: ask('coverage'),
  exportQuotes: ask('exportQuotes')
}

try {
  const listener = { tell: ask('tell'), signal: stopping.signal }
  send({ outcome: await perform(job, { store, ...surroundings }, listener) })
} catch (error) {
  send(faultOf(error))
}
