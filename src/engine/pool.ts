import { Worker } from 'node:worker_threads'
import type { Question } from '../api/answer.ts'
import { apiError } from '../api/error.ts'
import type { DailyBar } from '../market/bar.ts'
import type { DailyRecord } from '../market/daily-record.ts'
import { versionOf } from '../market/versions.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Engine } from './engine.ts'
import {
  type ChainName,
  type Delivery,
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
const maxYoungGenerationSizeMb = 192

/** Tasks that may wait for one worker before further ones are refused: seconds of work, not minutes. */
const mostWaiting = 2000

interface Waiting {
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
}

interface Seat {
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
const replaceAfter = 100

const restarted = () => apiError('overloaded', 'the worker behind this answer was restarted; try again')

/**
 * An engine of worker threads. Every symbol has its own worker, so what that remembers of a chain is computed once; a
 * worker that dies takes its unfinished tasks with it (they are refused, not lost) and is replaced.
 */
export async function createPool(options: PoolOptions): Promise<Engine> {
  const seats: Seat[] = []
  const forgotten = new WeakSet<PricedChain>()
  /** A loaded chain goes by the id of the task that loaded it; any other by a negative number, so the two never meet. */
  const numbers = new WeakMap<PricedChain, number>()
  let lastTask = 0
  let closed = false

  const numberOf = (chain: PricedChain) => numbers.get(chain) ?? -versionOf(chain)

  function start(seat: Seat): void {
    const { program, source, assumptions, features } = options
    const workerData: WorkerSettings = { source, assumptions, features }
    const worker = new Worker(program, { workerData, resourceLimits: { maxYoungGenerationSizeMb } })
    let fault: Error | undefined
    seat.worker = worker
    seat.alive = true
    seat.held.clear()
    seat.ready = new Promise((resolve, reject) => {
      worker.once('exit', (code) => reject(fault ?? new Error(`a worker ended with code ${code} before it was ready`)))
      worker.on('message', (message: FromWorker) => {
        if ('ready' in message) resolve()
        else settle(seat, message)
      })
    })
    seat.ready.catch(() => {})
    worker.on('error', (error) => (fault = error))
    worker.on('exit', (code) => {
      seat.alive = false
      for (const { reject } of seat.waiting.values()) reject(restarted())
      seat.waiting.clear()
      if (closed) return
      options.onCrash(fault ?? new Error(`a worker ended with code ${code}`))
      setTimeout(() => closed || start(seat), replaceAfter).unref()
    })
  }

  function settle(seat: Seat, message: Exclude<FromWorker, { ready: true }>): void {
    const waiting = seat.waiting.get(message.id)
    if (waiting === undefined) return
    seat.waiting.delete(message.id)
    if ('failure' in message) {
      waiting.reject(errorOf(message.failure))
      return
    }
    if (isPriced(message.result)) {
      numbers.set(message.result, message.id)
      seat.held.add(message.id)
    }
    waiting.resolve(message.result as never)
  }

  function run<Result>(seat: Seat, prepare: () => { readonly task: Task; readonly chains: Delivery }): Promise<Result> {
    if (!seat.alive) return Promise.reject<Result>(restarted())
    if (seat.waiting.size >= mostWaiting) return Promise.reject<Result>(apiError('overloaded'))
    const id = ++lastTask
    return new Promise<Result>((resolve, reject) => {
      seat.worker.postMessage({ id, ...prepare() } satisfies ToWorker)
      seat.waiting.set(id, { resolve, reject })
    })
  }

  /** Puts names in the place of chains, and collects those the worker has not met. */
  function named(question: Question, seat: Seat) {
    const chains: Delivery = []
    const name = (value: unknown): unknown => {
      if (value instanceof Map) return new Map([...value].map(([symbol, chain]) => [symbol, name(chain)]))
      if (!isPriced(value)) return value
      const version = numberOf(value)
      if (!seat.held.has(version)) {
        const keep = !forgotten.has(value)
        if (keep) seat.held.add(version)
        chains.push({ version, chain: value, keep })
      }
      return { chainVersion: version } satisfies ChainName
    }
    const inputs = Object.fromEntries(Object.entries(question.inputs).map(([input, value]) => [input, name(value)]))
    return { question: { ...question, inputs }, chains }
  }

  async function close(): Promise<void> {
    closed = true
    await Promise.all(seats.map((seat) => seat.worker.terminate()))
  }

  for (let k = 0; k < options.workers; k++) {
    const seat = { waiting: new Map(), held: new Set() } as unknown as Seat
    start(seat)
    seats.push(seat)
  }
  try {
    await Promise.all(seats.map((seat) => seat.ready))
  } catch (error) {
    await close()
    throw error
  }

  const seatOf = (symbol: string) => seats[hash(symbol) % seats.length]
  const leastBusy = () => seats.reduce((best, seat) => (seat.waiting.size < best.waiting.size ? seat : best))
  const load = <Loaded = PricedChain | undefined>(task: Task & { symbol: string }) =>
    run<Loaded>(seatOf(task.symbol), () => ({ task, chains: [] }))

  return {
    load: (symbol, now) => load({ kind: 'load', symbol, now }),
    loadClose: (symbol, session) => load({ kind: 'load close', symbol, session }),
    bars: (symbol, now) => load<readonly DailyBar[]>({ kind: 'bars', symbol, now }),
    records: (symbol, sessions, now) => load<readonly DailyRecord[]>({ kind: 'records', symbol, sessions, now }),
    record: (image, bars) =>
      run<DailyRecord>(seatOf(image.symbol), () => ({ task: { kind: 'record', image, bars }, chains: [] })),
    restore: (image) =>
      run<PricedChain>(seatOf(image.symbol), () => ({ task: { kind: 'restore', image }, chains: [] })),
    answer: (endpoint, question) => {
      const subject = subjectOf(question)
      const seat = subject === undefined ? leastBusy() : seatOf(subject)
      return run(seat, () => {
        const { question: message, chains } = named(question, seat)
        return { task: { kind: 'answer', endpoint, question: message as Question }, chains }
      })
    },
    forget: (chain) => {
      forgotten.add(chain)
      const number = numberOf(chain)
      for (const seat of seats) {
        if (seat.held.delete(number)) seat.worker.postMessage({ forget: number } satisfies ToWorker)
      }
    },
    get pending() {
      return seats.reduce((sum, seat) => sum + seat.waiting.size, 0)
    },
    close
  }
}

/** The symbol whose worker answers: the chain's own, or the first of a basket. Undefined: any worker may. */
function subjectOf({ inputs: { chain, anyChain, quote, chains } }: Question): string | undefined {
  return chain?.symbol ?? anyChain?.symbol ?? quote?.symbol ?? chains?.keys().next().value
}

function hash(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) >>> 0
  return sum
}
