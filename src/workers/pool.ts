import { refuseLate } from '../api/deadline.ts'
import { apiError } from '../api/error.ts'
import { steadyNow } from '../facts/steady-clock.ts'
import { noteReturned } from '../market/chain.ts'
import { markGone, refuseGone } from '../market/gone-chain.ts'
import { versionOf } from '../market/versions.ts'
import { hashOf } from '../math/hash.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Engine } from './engine.ts'
import type { EngineThreadSettings } from './engine-thread.ts'
import { type ChainRef, isPriced, type TransferredChain } from './protocol.ts'
import { RetiredChains } from './retired-chains.ts'
import type { Task } from './tasks/task.ts'
import { type ResultOf, type TaskName, taskNamed } from './tasks/tasks.ts'
import { nextTaskId, Thread } from './thread.ts'

/**
 * Maximum number of tasks waiting for one worker before further ones are refused. They amount to seconds of work, not
 * minutes.
 */
const MAX_WAITING = 2000
/** Bytes of replaced chains that keep their memory without another limit: what two cores load in half a second. */
const MAX_RETIRED = 16 * 2 ** 20
/** Milliseconds before a dead worker is replaced, so that one that dies at start does not keep the machine busy. */
const REPLACE_AFTER = 100

/** Limits of memory of the engine; see `MemoryPlan`. */
export interface EngineMemory {
  readonly retiredChains: number
  readonly measuredContracts: number
  readonly keptShare: number
  readonly youngGenerationMb: number
}

export interface PoolOptions extends Omit<EngineThreadSettings, 'measuredContracts' | 'keptShare'> {
  readonly workers: number
  readonly program: URL
  readonly started?: readonly Thread[] | undefined
  readonly memory?: EngineMemory | undefined
  readonly onCrash: (error: Error) => void
}

/** Place of one worker in the pool; a replacement takes it when the worker dies. */
interface WorkerSlot {
  thread: Thread
  /** Numbers of the chains that the worker holds. */
  readonly held: Set<number>
}

/**
 * Index of the worker that runs a task about a symbol: the symbol's own worker or, with `usesNextWorker`, the one after
 * it.
 */
export function workerOf(
  symbol: string,
  usesNextWorker: Task<unknown, unknown>['usesNextWorker'],
  workers: number
): number {
  return (hashOf(symbol) + (usesNextWorker ? 1 : 0)) % workers
}

/**
 * Creates an engine of worker threads. Every symbol has its own worker, so anything computed from a chain is computed
 * once; tasks that do not need the chain run on the next worker meanwhile. If a worker dies, its unfinished tasks are
 * refused and it is replaced.
 */
export async function createPool(options: PoolOptions): Promise<Engine> {
  const { workers, program, started = [], onCrash, source, assumptions, features, memory } = options
  const startThread = () => startEngineThread(program, { source, assumptions, features }, memory)
  const forgotten = new WeakSet<PricedChain>()
  /** Chains that were sent to a worker other than the one that loaded them. */
  const sent = new WeakSet<PricedChain>()
  /**
   * Number by which threads refer to a chain: the id of the task that loaded it. A chain that no task loaded gets a
   * negative number, which is never a task id.
   */
  const refs = new WeakMap<PricedChain, number>()
  let closed = false

  const refOf = (chain: PricedChain) => refs.get(chain) ?? -versionOf(chain)
  const replacing = (slot: WorkerSlot): WorkerSlot => {
    slot.thread.onExit((error) => {
      if (closed) return
      onCrash(error)
      setTimeout(() => {
        if (closed) return
        slot.held.clear()
        slot.thread = startThread()
        replacing(slot)
      }, REPLACE_AFTER).unref()
    })
    return slot
  }
  const slots = Array.from({ length: workers }, (_, k) =>
    replacing({ thread: started[k] ?? startThread(), held: new Set() })
  )

  /**
   * Replaces the chains in a task's arguments by references, and lists the chains that the worker does not hold yet.
   */
  function withChainRefs(name: TaskName, args: unknown, { held }: WorkerSlot) {
    const { pack } = taskNamed(name)
    if (pack === undefined) return { packed: args, chains: [] }
    const unmet = new Map<number, TransferredChain>()
    const packed = pack(args, (chain): ChainRef => {
      const ref = refOf(chain)
      if (!held.has(ref)) unmet.set(ref, { ref, chain, keep: !forgotten.has(chain) })
      return { chainRef: ref }
    })
    const chains = [...unmet.values()]
    for (const { chain } of chains) refuseGone(chain)
    for (const { ref, chain, keep } of chains) {
      sent.add(chain)
      if (keep) held.add(ref)
    }
    return { packed, chains }
  }

  async function close(): Promise<void> {
    closed = true
    await Promise.all(slots.map(({ thread }) => thread.close()))
  }

  try {
    await Promise.all(slots.map(({ thread }) => thread.ready))
  } catch (error) {
    await close()
    throw error
  }

  function forget(chain: PricedChain, givesBack = false): void {
    forgotten.add(chain)
    const ref = refOf(chain)
    const isAlone = givesBack && refs.has(chain) && !sent.has(chain)
    for (const { thread, held } of slots) {
      if (!held.delete(ref)) continue
      thread.forget(ref, isAlone)
      if (!isAlone) continue
      markGone(chain)
      noteReturned(chain)
    }
  }

  const retired = new RetiredChains<PricedChain>(memory?.retiredChains ?? MAX_RETIRED, (chain) => forget(chain, true))
  const leastBusy = () => slots.reduce((best, slot) => (slot.thread.pending < best.thread.pending ? slot : best))

  return {
    async run(name, args, deadline) {
      refuseLate(deadline)
      const { symbol: symbolOf, usesNextWorker } = taskNamed(name)
      const symbol = symbolOf(args)
      const slot = symbol === undefined ? leastBusy() : slots[workerOf(symbol, usesNextWorker, slots.length)]
      const { thread, held } = slot
      if (!thread.alive) throw restarted()
      if (thread.pending >= MAX_WAITING) throw apiError('overloaded')
      const id = nextTaskId()
      const { packed, chains } = withChainRefs(name, args, slot)
      const until = deadline && steadyNow() + deadline.left()
      const result = await thread.run(id, name, packed, { chains, until })
      if (isPriced(result)) {
        refs.set(result, id)
        held.add(id)
      }
      return result as ResultOf<typeof name>
    },
    forget,
    retire: (chain) => retired.retire(chain),
    lend: (chain) => retired.lend(chain),
    get pending() {
      return slots.reduce((sum, { thread }) => sum + thread.pending, 0)
    },
    close
  }
}

/** Error for the unfinished tasks of a worker that died. */
export const restarted = () => apiError('overloaded', 'the worker behind this answer was restarted; try again')

export function startEngineThread(
  program: URL,
  settings: Omit<EngineThreadSettings, 'measuredContracts' | 'keptShare'>,
  memory?: EngineMemory
): Thread {
  const { measuredContracts, keptShare } = memory ?? {}
  const workerData: EngineThreadSettings = { ...settings, measuredContracts, keptShare }
  return new Thread({
    program,
    workerData,
    lost: restarted,
    ...(memory !== undefined && { maxYoungGenerationSizeMb: memory.youngGenerationMb })
  })
}
