import { parentPort, workerData } from 'node:worker_threads'
import type { Inputs } from '../api/inputs/inputs.ts'
import { createConnector } from '../connectors/registry.ts'
import { endpointsWith } from '../endpoints/index.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import {
  type ChainRef,
  type ChainTransfer,
  type FromWorker,
  failureOf,
  isPriced,
  type ToWorker,
  type WorkerSettings
} from './message.ts'
import { runTask, type Task, type TaskContext } from './task.ts'

/** The program of one worker thread: performs tasks as they come, several loads at a time while they wait for a source. */
const { source, assumptions, features } = workerData as WorkerSettings
const context: TaskContext = {
  connector: await createConnector(source),
  assumptions,
  endpoints: new Map(endpointsWith(features).map((endpoint) => [endpoint.id, endpoint]))
}
const chains = new Map<number, PricedChain>()
const port = parentPort!
const send = (message: FromWorker, transfer: readonly ArrayBuffer[] = []) => port.postMessage(message, transfer)

port.on('message', async (message: ToWorker) => {
  if ('forget' in message) {
    chains.delete(message.forget)
    return
  }
  const { id } = message
  try {
    const result = await runTask(withChains(message.task, message.chains), context)
    if (result instanceof Uint8Array) return send({ id, result }, [result.buffer as ArrayBuffer])
    if (isPriced(result)) chains.set(id, result)
    send({ id, result })
  } catch (error) {
    send({ id, failure: failureOf(error) })
  }
})
send({ ready: true })

/** Puts chains back where a question names them. */
function withChains(task: Task, delivered: ChainTransfer): Task {
  if (task.kind !== 'answer') return task
  const once = new Map<number, PricedChain>()
  for (const { version, chain, keep } of delivered) (keep ? chains : once).set(version, chain)
  const restore = (value: unknown): unknown => {
    if (value instanceof Map) return new Map([...value].map(([symbol, named]) => [symbol, restore(named)]))
    const version = (value as ChainRef | undefined)?.chainVersion
    return version === undefined ? value : (chains.get(version) ?? once.get(version))
  }
  const inputs = Object.fromEntries(Object.entries(task.question.inputs).map(([name, value]) => [name, restore(value)]))
  return { ...task, question: { ...task.question, inputs: inputs as Partial<Inputs> } }
}
