import { Worker } from 'node:worker_threads'
import type { AnswerTask } from '../api/answer.ts'
import { apiError } from '../api/error.ts'
import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { versionOf } from '../market/versions.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Engine } from './engine.ts'
import {
  type ChainRef,
  type ChainTransfer,
  errorOf,
  type FromWorker,
  isPriced,
  type ToWorker,
  type WorkerSettings
} from './message.ts'
import type { Task } from './task.ts'

/**
 * Room for short-lived objects, three times one semi-space. All exposure answers of a large chain leave some 15 MB of
 * them behind, which is a collection each time in V8's own 16 MB.
 */
const MAX_YOUNG_GENERATION_SIZE_MB = 192

/** Tasks that may wait for one worker before further ones are refused: seconds of work, not minutes. */
const MAX_WAITING = 2000

interface Waiting {
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
}

interface WorkerSlot {
  worker: Worker
  ready: Promise<void>
  /** False from the end of a worker to the start of the next. */
  alive: boolean
  readonly waiting: Map<number, Waiting>
  /** Versions the worker holds. */
  readonly held: Set<number>
}

export interface PoolOptions extends WorkerSettings {
  readonly workers: number
  /** The compiled worker program. */
  readonly program: URL
  readonly onCrash: (error: Error) => void
}

/** How long to wait before a worker is replaced, milliseconds: one that dies at once must not take the machine along. */
const REPLACE_AFTER = 100

const restarted = () => apiError('overloaded', 'the worker behind this answer was restarted; try again')

/**
 * An engine of worker threads. Every symbol has its own worker, so what that remembers of a chain is computed once; a
 * worker that dies takes its unfinished tasks with it (they are refused, not lost) and is replaced.
 */
export async function createPool(options: PoolOptions): Promise<Engine> {
  const slots: WorkerSlot[] = []
  const forgotten = new WeakSet<PricedChain>()
  /** A loaded chain goes by the id of the task that loaded it; any other by a negative number, so the two never meet. */
  const numbers = new WeakMap<PricedChain, number>()
  let lastTask = 0
  let closed = false

  const numberOf = (chain: PricedChain) => numbers.get(chain) ?? -versionOf(chain)

  function start(slot: WorkerSlot): void {
    const { program, source, assumptions, features } = options
    const workerData: WorkerSettings = { source, assumptions, features }
    const worker = new Worker(program, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_SIZE_MB }
    })
    let fault: Error | undefined
    slot.worker = worker
    slot.alive = true
    slot.held.clear()
    slot.ready = new Promise((resolve, reject) => {
      worker.once('exit', (code) => reject(fault ?? new Error(`a worker ended with code ${code} before it was ready`)))
      worker.on('message', (message: FromWorker) => {
        if ('ready' in message) resolve()
        else settle(slot, message)
      })
    })
    slot.ready.catch(() => {})
    worker.on('error', (error) => (fault = error))
    worker.on('exit', (code) => {
      slot.alive = false
      for (const { reject } of slot.waiting.values()) reject(restarted())
      slot.waiting.clear()
      if (closed) return
      options.onCrash(fault ?? new Error(`a worker ended with code ${code}`))
      setTimeout(() => closed || start(slot), REPLACE_AFTER).unref()
    })
  }

  function settle(slot: WorkerSlot, message: Exclude<FromWorker, { ready: true }>): void {
    const waiting = slot.waiting.get(message.id)
    if (waiting === undefined) return
    slot.waiting.delete(message.id)
    if ('failure' in message) {
      waiting.reject(errorOf(message.failure))
      return
    }
    if (isPriced(message.result)) {
      numbers.set(message.result, message.id)
      slot.held.add(message.id)
    }
    waiting.resolve(message.result as never)
  }

  function run<Result>(
    slot: WorkerSlot,
    prepare: () => { readonly task: Task; readonly chains: ChainTransfer }
  ): Promise<Result> {
    if (!slot.alive) return Promise.reject<Result>(restarted())
    if (slot.waiting.size >= MAX_WAITING) return Promise.reject<Result>(apiError('overloaded'))
    const id = ++lastTask
    return new Promise<Result>((resolve, reject) => {
      slot.worker.postMessage({ id, ...prepare() } satisfies ToWorker)
      slot.waiting.set(id, { resolve, reject })
    })
  }

  /** Puts names in the place of chains, and collects those the worker has not met. */
  function withChainRefs(question: AnswerTask, slot: WorkerSlot) {
    const chains: ChainTransfer = []
    const name = (value: unknown): unknown => {
      if (value instanceof Map) return new Map([...value].map(([symbol, chain]) => [symbol, name(chain)]))
      if (!isPriced(value)) return value
      const version = numberOf(value)
      if (!slot.held.has(version)) {
        const keep = !forgotten.has(value)
        if (keep) slot.held.add(version)
        chains.push({ version, chain: value, keep })
      }
      return { chainVersion: version } satisfies ChainRef
    }
    const inputs = Object.fromEntries(Object.entries(question.inputs).map(([input, value]) => [input, name(value)]))
    return { question: { ...question, inputs }, chains }
  }

  async function close(): Promise<void> {
    closed = true
    await Promise.all(slots.map((slot) => slot.worker.terminate()))
  }

  for (let k = 0; k < options.workers; k++) {
    const slot = { waiting: new Map(), held: new Set() } as unknown as WorkerSlot
    start(slot)
    slots.push(slot)
  }
  try {
    await Promise.all(slots.map((slot) => slot.ready))
  } catch (error) {
    await close()
    throw error
  }

  const slotOf = (symbol: string) => slots[hash(symbol) % slots.length]
  const leastBusy = () => slots.reduce((best, slot) => (slot.waiting.size < best.waiting.size ? slot : best))
  const load = <Loaded = PricedChain | undefined>(task: Task & { symbol: string }) =>
    run<Loaded>(slotOf(task.symbol), () => ({ task, chains: [] }))

  return {
    load: (symbol, now) => load({ kind: 'load', symbol, now }),
    loadClose: (symbol, session) => load({ kind: 'load close', symbol, session }),
    bars: (symbol, now) => load<readonly DailyBar[]>({ kind: 'bars', symbol, now }),
    records: (symbol, sessions, now) => load<readonly DailyRecord[]>({ kind: 'records', symbol, sessions, now }),
    record: (snapshot, bars) =>
      run<DailyRecord>(slotOf(snapshot.symbol), () => ({ task: { kind: 'record', snapshot, bars }, chains: [] })),
    restore: (snapshot) =>
      run<PricedChain>(slotOf(snapshot.symbol), () => ({ task: { kind: 'restore', snapshot }, chains: [] })),
    answer: (endpoint, question) => {
      const subject = subjectOf(question)
      const slot = subject === undefined ? leastBusy() : slotOf(subject)
      return run(slot, () => {
        const { question: message, chains } = withChainRefs(question, slot)
        return { task: { kind: 'answer', endpoint, question: message as AnswerTask }, chains }
      })
    },
    forget: (chain) => {
      forgotten.add(chain)
      const number = numberOf(chain)
      for (const slot of slots) {
        if (slot.held.delete(number)) slot.worker.postMessage({ forget: number } satisfies ToWorker)
      }
    },
    get pending() {
      return slots.reduce((sum, slot) => sum + slot.waiting.size, 0)
    },
    close
  }
}

/** The symbol whose worker answers: the chain's own, or the first of a basket. Undefined: any worker may. */
function subjectOf({ inputs: { chain, anyChain, quote, chains } }: AnswerTask): string | undefined {
  return chain?.symbol ?? anyChain?.symbol ?? quote?.symbol ?? chains?.keys().next().value
}

function hash(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) >>> 0
  return sum
}
