import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { TapeKind } from '../../market/print.ts'
import type { Ticker } from '../../market/units.ts'
import { mountObserved, type Observed } from './observed.ts'
import { RequestTally } from './request-tally.ts'

/** How a request to the data source ended: unknown when it does not know the symbol, refused when it is not believed. */
export type LoadResult = 'loaded' | 'unknown' | 'failed' | 'refused'

/** The figures an operator watches. Labels are few and bounded: never a symbol, a user or a key. */
export interface Metrics {
  readonly registry: Registry
  /** One finished request. `route` is the declared path, `plan` the id of the caller's plan or the word none. */
  request(route: string, plan: string, status: number, seconds: number): void
  /** One look-up of a finished answer. */
  lookup(hit: boolean): void
  /** One request to the data source. */
  load(source: string, result: LoadResult, seconds: number): void
  /** One payload of the data source that was refused. */
  refusal(reason: string): void
  /** How many rows the tape of a symbol has: it begins anew with each session. */
  taped(symbol: Ticker, kind: TapeKind, rows: number): void
  /** Something of prints that went wrong, so often, by its kind. */
  tapeTrouble(kind: string, count: number): void
  /** Names what the gauges read. Until then they are left out. */
  observe(observed: Observed): void
}

const loadBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Metrics in a registry of their own, those of the process (event-loop lag, memory, collections) among them. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new RequestTally()
  mountRequests(requests, registry)
  const looked = { hit: 0, miss: 0 }
  new Counter({
    name: 'gammawall_answer_lookups_total',
    help: 'Look-ups of finished answers: hit or miss',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      for (const result of ['hit', 'miss'] as const) this.inc({ result }, looked[result])
    }
  })
  const loads = new Counter({
    name: 'gammawall_source_loads_total',
    help: 'Requests to the data source: loaded, unknown (no such symbol), failed or refused (not believed)',
    labelNames: ['source', 'result'],
    registers
  })
  const refusals = new Counter({
    name: 'gammawall_source_refusals_total',
    help: 'Payloads of the data source that were refused, by reason',
    labelNames: ['reason'],
    registers
  })
  const tapeRows = new Counter({
    name: 'gammawall_tape_rows_total',
    help: 'Prints, cancels and corrections that tapes took in, those read from the archive among them, by kind of tape',
    labelNames: ['kind'],
    registers
  })
  const rowsOf = new Map<string, number>()
  const tapeTroubles = new Counter({
    name: 'gammawall_tape_troubles_total',
    help: 'What went wrong with prints: messages refused, rows lost, feeds cut off, by kind',
    labelNames: ['kind'],
    registers
  })
  const loadSeconds = new Histogram({
    name: 'gammawall_source_load_seconds',
    help: 'Duration of requests to the data source, pricing included',
    labelNames: ['source'],
    buckets: loadBounds,
    registers
  })

  return {
    registry,
    request: (route, plan, status, seconds) => requests.add(route, plan, status, seconds),
    lookup: (hit) => {
      looked[hit ? 'hit' : 'miss']++
    },
    load: (source, result, seconds) => {
      loads.inc({ source, result })
      loadSeconds.observe({ source }, seconds)
    },
    refusal: (reason) => refusals.inc({ reason }),
    taped(symbol, kind, rows) {
      const name = `${kind} ${symbol}`
      const before = rowsOf.get(name) ?? 0
      rowsOf.set(name, rows)
      tapeRows.inc({ kind }, rows < before ? rows : rows - before)
    },
    tapeTrouble: (kind, count) => tapeTroubles.inc({ kind }, count),
    observe: (observed) => mountObserved(observed, registry)
  }
}

function mountRequests(requests: RequestTally, registry: Registry): void {
  const counter = new Counter({
    name: 'gammawall_requests_total',
    help: 'Requests answered, by declared path, plan of the caller and status',
    labelNames: ['route', 'plan', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { count, ...labels } of requests.counts()) this.inc(labels, count)
    }
  })
  const seconds = {
    name: 'gammawall_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...seconds, values: [...requests.histogram(seconds.name)] }),
    reset: () => {}
  }
  // A registry asks a metric for its name and for get() alone; the class could only be filled value by value.
  registry.registerMetric(seconds as unknown as typeof counter)
}
