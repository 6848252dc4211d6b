import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BroadcastChannel } from 'node:worker_threads'

/**
 * A worker program for tests: the service's own, with a channel to the test. On `die` it throws an unexpected error. On
 * `count` it collects garbage and reports how many of the chains that it ever loaded or received are still held.
 */
const program = (worker: string, line: string) => `
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BroadcastChannel, parentPort } from 'node:worker_threads'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')
const known = []
const post = parentPort.postMessage.bind(parentPort)
parentPort.postMessage = (message, transfer) => {
  if (message.result?.sigma !== undefined) known.push(new WeakRef(message.result))
  post(message, transfer)
}
const channel = new BroadcastChannel(${JSON.stringify(line)})
channel.onmessage = ({ data }) => {
  if (data === 'die') setImmediate(() => { throw new Error('killed by the test') })
  if (data === 'count') setImmediate(() => setImmediate(() => {
    gc()
    channel.postMessage({ held: known.filter((chain) => chain.deref() !== undefined).length })
  }))
}
// The port begins to deliver with its first listener, so this one waits for that of the program.
const on = parentPort.on.bind(parentPort)
parentPort.on = (name, listener) => {
  if (name === 'message') on(name, ({ chains = [] }) => known.push(...chains.map(({ chain }) => new WeakRef(chain))))
  return on(name, listener)
}
await import(${JSON.stringify(worker)})
`

/** Writes the program into a folder; its workers listen to the channel. */
export function mortalWorker(folder: string, worker: URL) {
  const name = `gammawall-test-${Math.random()}`
  const path = join(folder, 'mortal-worker.mjs')
  writeFileSync(path, program(worker.href, name))
  const channel = new BroadcastChannel(name)
  const received: { readonly held: number }[] = []
  channel.onmessage = (event) => received.push((event as { readonly data: { readonly held: number } }).data)
  return {
    program: pathToFileURL(path),
    die: () => channel.postMessage('die'),
    /** Chains held by all `workers` together. */
    held: async (workers: number): Promise<number> => {
      received.length = 0
      channel.postMessage('count')
      while (received.length < workers) await new Promise((resolve) => setTimeout(resolve, 5))
      return received.reduce((sum, { held }) => sum + held, 0)
    },
    close: () => channel.close()
  }
}
