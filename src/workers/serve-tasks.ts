import { parentPort } from 'node:worker_threads'
import { noteReceived } from '../market/chain.ts'
import { giveBackChain, type PricedChain } from '../pricing/price-chain.ts'
import {
  type CallOutcome,
  type ChainRef,
  type FromThread,
  isPriced,
  type TaskMessage,
  type ToThread
} from './protocol.ts'
import { deserializeError, serializeError } from './serialized-error.ts'

/** Functions that a running task can use on its thread, apart from its arguments. */
export interface RunningTask {
  /** Finds the chain that a reference in the arguments stands for. */
  readonly chainOf: (ref: unknown) => PricedChain
  /** Calls a method of the thread's owner and waits for the result. The thread loses access to transferred buffers. */
  readonly call: (method: string, args: readonly unknown[], transfer?: readonly ArrayBuffer[]) => Promise<unknown>
  readonly signal: AbortSignal
  /** Time of the steady clock after which the task need not begin. */
  readonly until: number | undefined
}

/** Calls that tell a thread of the use of its chains. `used` is called with a kept chain that a task begins to use. */
export interface ChainUse {
  used(chain: PricedChain): void
  /** Called with a chain that no later task will use. */
  forgotten(chain: PricedChain): void
}

interface KeptChain {
  readonly chain: PricedChain
  uses: number
  /** Set if the chain's memory is to be reused once no task uses it. */
  isGivenBack: boolean
}

/**
 * Main loop of a thread: runs tasks as they come, and keeps the chains it received. While one task waits, others run.
 */
export function serveTasks(run: (task: string, args: unknown, running: RunningTask) => unknown, use?: ChainUse): void {
  const port = parentPort!
  const chains = new Map<number, KeptChain>()
  const aborts = new Map<number, AbortController>()
  const calls = new Map<number, (outcome: CallOutcome) => void>()
  let lastCall = 0
  const send = (message: FromThread, transfer: readonly ArrayBuffer[] = []) => port.postMessage(message, transfer)

  port.on('message', (message: ToThread) => {
    if ('task' in message) void runTask(message)
    else if ('forget' in message) forget(message.forget, message.givesBack)
    else if ('abort' in message) aborts.get(message.abort)?.abort()
    else {
      calls.get(message.returned)?.(message.outcome)
      calls.delete(message.returned)
    }
  })
  send({ ready: true })

  async function runTask({ id, task, args, chains: transferred, until }: TaskMessage): Promise<void> {
    const once = new Map<number, KeptChain>()
    for (const { ref, chain, keep } of transferred) {
      noteReceived(chain)
      ;(keep ? chains : once).set(ref, keptChain(chain))
    }
    const used = new Set<KeptChain>()
    const chainOf = (ref: unknown) => {
      const { chainRef } = ref as ChainRef
      const held = chains.get(chainRef) ?? once.get(chainRef)
      if (held === undefined) throw new Error(`no chain is kept under ${chainRef}`)
      if (!used.has(held)) {
        held.uses++
        if (chains.has(chainRef)) use?.used(held.chain)
      }
      used.add(held)
      return held.chain
    }
    const abort = new AbortController()
    aborts.set(id, abort)
    try {
      const result = await run(task, args, {
        chainOf,
        signal: abort.signal,
        until,
        call: (method, of, transfer) => callOwner(id, method, of, transfer)
      })
      if (isPriced(result)) chains.set(id, keptChain(result))
      send({ id, result }, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : [])
    } catch (error) {
      send({ id, error: serializeError(error) })
    } finally {
      aborts.delete(id)
      for (const held of used) {
        held.uses--
        giveBackUnused(held)
      }
    }
  }

  function forget(ref: number, givesBack: boolean): void {
    const held = chains.get(ref)
    chains.delete(ref)
    if (held === undefined) return
    use?.forgotten(held.chain)
    if (!givesBack) return
    held.isGivenBack = true
    giveBackUnused(held)
  }

  function callOwner(
    id: number,
    method: string,
    args: readonly unknown[],
    transfer?: readonly ArrayBuffer[]
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = ++lastCall
      calls.set(call, (outcome) =>
        'error' in outcome ? reject(deserializeError(outcome.error)) : resolve(outcome.result)
      )
      send({ id, call, method, args }, transfer)
    })
  }
}

const keptChain = (chain: PricedChain): KeptChain => ({ chain, uses: 0, isGivenBack: false })

function giveBackUnused({ chain, uses, isGivenBack }: KeptChain): void {
  if (isGivenBack && uses === 0) giveBackChain(chain)
}
