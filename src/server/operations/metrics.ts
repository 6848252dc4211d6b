import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { TapeKind } from '../../market/print.ts'
import type { Ticker } from '../../market/units.ts'
import { mountObserved, type Observed } from './observed.ts'

/**
 * Outcome of a request to the data source. `unknown`: the source does not know the symbol. `older`: its chain was older
 * than the current one. `refused`: checks refused its chain or did not trust it.
 */
export type LoadResult = 'loaded' | 'unknown' | 'failed' | 'older' | 'refused'

/** The metrics that operators read. Their labels have few different values: never a symbol, a user or a key. */
export interface Metrics {
  readonly registry: Registry
  /**
   * Counts one finished request. `route` is the path as declared, such as /v1/exposure/gex/{symbol}. `plan` is the id
   * of the caller's plan, or "none".
   */
  request(route: string, plan: string, status: number, seconds: number): void
  lookup(hit: boolean): void
  load(source: string, result: LoadResult, seconds: number): void
  refusal(reason: string): void
  /** Counts a symbol whose chains are trusted again. `reason` says why they were not, `by` what ended the doubt. */
  doubtEnded(reason: string, by: string): void
  /** Records the number of prints collected for a symbol in the current session. */
  taped(symbol: Ticker, kind: TapeKind, rows: number): void
  tapeTrouble(kind: string, count: number): void
  /** Registers functions that return current values, such as the cache size. Until then those metrics are left out. */
  observe(observed: Observed): void
}

/**
 * Upper bounds of the request-time histogram, seconds. A cached response takes well under 1 ms, the chain of an index
 * may take 1 s.
 */
const requestBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const loadBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Creates the metrics in a new registry, and adds the metrics of the process (event-loop lag, memory, garbage
 * collections).
 */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const requests = new Counter({
    name: 'gammawall_requests_total',
    help: 'Requests answered, by declared path, plan of the caller and status',
    labelNames: ['route', 'plan', 'status'],
    registers
  })
  const requestSeconds = new Histogram({
    name: 'gammawall_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['route'],
    buckets: requestBounds,
    registers
  })
  const lookups = { hit: 0, miss: 0 }
  new Counter({
    name: 'gammawall_answer_lookups_total',
    help: 'Look-ups of finished answers: hit or miss',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      for (const result of ['hit', 'miss'] as const) this.inc({ result }, lookups[result])
    }
  })
  const loads = new Counter({
    name: 'gammawall_source_loads_total',
    help: 'Requests to the data source: loaded, unknown (no such symbol), failed, older (than what is held) or refused (not believed)',
    labelNames: ['source', 'result'],
    registers
  })
  const refusals = new Counter({
    name: 'gammawall_source_refusals_total',
    help: 'Payloads of the data source that were refused or doubted, by reason',
    labelNames: ['reason'],
    registers
  })
  const doubtsEnded = new Counter({
    name: 'gammawall_source_doubts_ended_total',
    help: 'Doubts about the data source that ended, by reason and by evidence or operator',
    labelNames: ['reason', 'by'],
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
    request: (route, plan, status, seconds) => {
      requests.inc({ route, plan, status })
      requestSeconds.observe({ route }, seconds > 0 ? seconds : 0) // 0 if cut off before it was timed
    },
    lookup: (hit) => {
      lookups[hit ? 'hit' : 'miss']++
    },
    load: (source, result, seconds) => {
      loads.inc({ source, result })
      loadSeconds.observe({ source }, seconds)
    },
    refusal: (reason) => refusals.inc({ reason }),
    doubtEnded: (reason, by) => doubtsEnded.inc({ reason, by }),
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
