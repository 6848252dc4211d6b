import { Counter, Gauge, type Registry } from 'prom-client'
import type { SessionFiles } from '../../archive/session-files/session-files.ts'
import type { RecorderState } from '../../archive/snapshot-recorder.ts'
import type { ScanResult } from '../../connectors/port/scans.ts'
import type { StreamBudget } from '../../connectors/port/streams/stream-budget.ts'
import type { SettlementAccuracy } from '../../flow/open-interest/settlement.ts'
import type { BandMeasure } from '../../market/band-errors.ts'
import { memoize } from '../../market/memoize.ts'
import type { Instant } from '../../market/units.ts'
import { type RateOrigin, rateOrigins } from '../../pricing/assumptions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { countSources, sigmaSources } from '../../pricing/sources.ts'

export interface Observed {
  /** For each source with a request limit: the limit, and the number of requests since the start. */
  readonly budgets: () => readonly {
    readonly source: string
    readonly budget: { readonly perMinute: number; readonly given: number }
  }[]
  /** For each source of prints: the number of subscribed contracts, and the most that it allows. */
  readonly streams: () => readonly {
    readonly source: string
    readonly streams: Pick<StreamBudget, 'contracts' | 'maxContracts' | 'without'>
  }[]
  /** Size of all cached responses, bytes. */
  readonly cacheBytes: () => number
  /** Number of symbols whose chains checks do not trust at the moment. */
  readonly doubts: () => number
  readonly engineQueue: () => number
  readonly held: () => Iterable<{ readonly chain: PricedChain; readonly observedAt: Instant; readonly late: boolean }>
  readonly ratesFrom: () => RateOrigin
  /** How many snapshots were recorded, wait or were lost since the start. Undefined if nothing is recorded. */
  readonly recorded: () => RecorderState | undefined
  /** How often the fast parser of a connector was used, by result. */
  readonly scans: () => Readonly<Record<ScanResult, number>>
  /**
   * How many past snapshots were read from session files (fast copies) and how many from the archive, and the size of
   * those files in bytes. Undefined if there are no session files.
   */
  readonly sessionFiles: () => Pick<SessionFiles, 'reads' | 'bytes'> | undefined
  /**
   * How close yesterday's closing estimates of open interest came to the published figures. Undefined if they were not
   * compared.
   */
  readonly settlements: () => SettlementAccuracy | undefined
  /** Groups of contracts of all symbols by whether customers are shown to stand where the convention says. */
  readonly customers: () => Readonly<Record<'fits' | 'contradicts' | 'not_shown', number>> | undefined
  /** Share of past mornings that the bands of each net exposure held, over all symbols. */
  readonly bandsHeld: () => Readonly<Partial<Record<BandMeasure, number | undefined>>>
  readonly wallNow: () => Instant
}

const sourcesOf = memoize(countSources)

const recorderHelp = {
  written: 'Snapshots written to the archive since the start',
  waiting: 'Snapshots that wait for the archive to take them',
  lost: 'Snapshots given up since the start because the archive took none for too long'
}

export function mountObserved(observed: Observed, registry: Registry): void {
  const {
    bandsHeld,
    customers,
    budgets,
    cacheBytes,
    doubts,
    engineQueue,
    held,
    ratesFrom,
    recorded,
    scans,
    sessionFiles,
    settlements,
    streams,
    wallNow
  } = observed
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      }
    })
  gauge('gammawall_answer_cache_bytes', 'Bytes of finished answers that are kept', cacheBytes)
  gauge('gammawall_source_doubts', 'Doubts about chains, closes and daily bars, which are held back', doubts)
  gauge('gammawall_engine_queue', 'Tasks accepted by the engine and not finished', engineQueue)
  for (const state of ['written', 'waiting', 'lost'] as const) {
    gauge(`gammawall_recorded_snapshots_${state}`, recorderHelp[state], () => recorded()?.[state] ?? 0)
  }
  gauge('gammawall_snapshots_held', 'Symbols whose chain is loaded', () => [...held()].length)
  gauge(
    'gammawall_snapshot_oldest_seconds',
    'Time since the request for the chain that was refreshed longest ago; it grows while the market is closed',
    () => {
      let oldest = 0
      for (const { observedAt } of held()) oldest = Math.max(oldest, wallNow() - observedAt)
      return oldest / 1000
    }
  )
  gauge(
    'gammawall_snapshots_late',
    'Symbols not renewed for twice as long as they are to be: the source fails, or takes no more requests',
    () => [...held()].filter(({ late }) => late).length
  )
  for (const [name, help, figure] of [
    ['gammawall_source_requests', 'Requests that sources which limit them had since the start', 'given'],
    ['gammawall_source_requests_per_minute', 'Requests that they take in a minute', 'perMinute']
  ] as const) {
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers,
      collect() {
        for (const { source, budget } of budgets()) this.set({ source }, budget[figure])
      }
    })
  }
  for (const [name, help, figure] of [
    ['gammawall_source_contracts', 'Contracts that are streamed by name, for their prints or quotes', 'contracts'],
    ['gammawall_source_contracts_most', 'Contracts that may be streamed so', 'maxContracts'],
    ['gammawall_source_symbols_without_stream', 'Symbols whose prints are wanted and have no room', 'without']
  ] as const) {
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers,
      collect() {
        for (const { source, streams: budget } of streams()) this.set({ source }, budget[figure] ?? 0)
      }
    })
  }
  new Gauge({
    name: 'gammawall_open_interest_estimate',
    help: 'Closing estimates of open interest beside what was published next: share explained, correlation, best c',
    labelNames: ['figure'],
    registers,
    collect() {
      this.reset()
      const { explained, correlation, bestConfidence: best_confidence } = settlements() ?? {}
      for (const [figure, value] of Object.entries({ explained, correlation, best_confidence })) {
        if (value !== undefined) this.set({ figure }, value)
      }
    }
  })
  new Gauge({
    name: 'gammawall_bands_held_ratio',
    help: 'Share of the last mornings on which settled open interest lay inside the 90 % band of a net exposure',
    labelNames: ['measure'],
    registers,
    collect() {
      this.reset()
      for (const [measure, value] of Object.entries(bandsHeld())) if (value !== undefined) this.set({ measure }, value)
    }
  })
  new Gauge({
    name: 'gammawall_customer_groups',
    help: 'Groups of contracts, four of each symbol, by what their flow and open interest say of the sign convention',
    labelNames: ['verdict'],
    registers,
    collect() {
      this.reset()
      const { fits = 0, contradicts = 0, not_shown = 0 } = customers() ?? {}
      for (const [verdict, count] of Object.entries({ fits, contradicts, not_shown })) this.set({ verdict }, count)
    }
  })
  new Counter({
    name: 'gammawall_payload_scans_total',
    help: 'Payloads given to the quick reader: taken, or refused and then read the plain way',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(scans())) this.inc({ result }, count)
    }
  })
  gauge('gammawall_session_files_bytes', 'Bytes of session files', () => sessionFiles()?.bytes ?? 0)
  new Counter({
    name: 'gammawall_session_file_reads_total',
    help: 'Past snapshots read out of session files (hit), and those asked of the archive instead (miss)',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(sessionFiles()?.reads ?? {})) this.inc({ result }, count)
    }
  })
  new Gauge({
    name: 'gammawall_rates_from',
    help: 'What the rates of the session come from: 1 for it, 0 for the others',
    labelNames: ['origin'],
    registers,
    collect() {
      const from = ratesFrom()
      for (const origin of rateOrigins) this.set({ origin }, origin === from ? 1 : 0)
    }
  })
  new Gauge({
    name: 'gammawall_sigma_sources',
    help: 'Contracts held, by where their volatility comes from',
    labelNames: ['source'],
    registers,
    collect() {
      const totals = Object.fromEntries(sigmaSources.map((source) => [source, 0]))
      for (const { chain } of held()) {
        const counts = sourcesOf(chain)
        for (const source of sigmaSources) totals[source] += counts[source]
      }
      for (const source of sigmaSources) this.set({ source }, totals[source])
    }
  })
}
