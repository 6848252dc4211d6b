import type { Endpoint } from '../api/endpoint.ts'
import type { Config } from '../config/config.ts'
import type { Connector, UniverseSymbol } from '../connectors/port/connector.ts'
import type { SourceSettings } from '../connectors/port/declaration.ts'
import type { ScanCounts } from '../connectors/port/scans.ts'
import { endpointsWith } from '../endpoints/index.ts'
import { steadyNow } from '../facts/steady-clock.ts'
import { SourceState } from '../live/chains/source-state.ts'
import { EndOfDay } from '../live/days/end-of-day.ts'
import { LiveMarket } from '../live/live-market.ts'
import type { MarketEventBus } from '../live/market-events.ts'
import { macroSeries } from '../market/macro-series.ts'
import { parentOfRoot } from '../market/security.ts'
import { tradeDate } from '../market/trade-date.ts'
import type { Instant, Ticker } from '../market/units.ts'
import { ratesIndexOf } from '../pricing/assumptions.ts'
import { ArchiveReader } from '../replay/archive-reader.ts'
import { FigureMaker } from '../replay/figure-maker.ts'
import { GeneratedPrices } from '../replay/generated-prices.ts'
import { LiveFigures } from '../replay/live-figures.ts'
import { ReplayMarket } from '../replay/replay-market.ts'
import type { Log } from '../server/operations/log.ts'
import { RefusedPayloads } from '../server/operations/refused-payloads.ts'
import type { Engine } from '../workers/engine.ts'
import { inlineEngine } from '../workers/inline.ts'
import { runJobOnThread } from '../workers/job-on-thread.ts'
import { createPool } from '../workers/pool.ts'
import { startFigureBacklog, startRecordMigration } from './background-work.ts'
import { type Begun, engineProgram } from './begin.ts'
import type { Foundations } from './foundations.ts'
import { seeds } from './history-seed.ts'
import type { OpeningRecording } from './opening-recording.ts'
import type { RunningRecording } from './running-recording.ts'
import { referenceSettings, startReferences } from './running-references.ts'
import { createTapes } from './running-tapes.ts'
import { type SettlementCheck, startSettlementCheck } from './settlement-check.ts'
import type { Shutdown } from './shutdown.ts'
import { clockStandsAt, marketClock } from './source-choice.ts'
import { logCaptureEnd, logSource } from './source-log.ts'

/** The parts of a running service that supply market data: connector, engine, live market and recording. */
export interface RunningMarket {
  readonly connector: Connector
  /** Counts, over all threads, how often responses of a source were parsed by its fast parser or by the general one. */
  readonly scans: ScanCounts
  readonly endpoints: readonly Endpoint[]
  readonly engine: Engine
  readonly live: LiveMarket
  readonly recording: RunningRecording
  /** Minute prices of a market that makes its prices up; undefined for every other market. */
  readonly generated: GeneratedPrices | undefined
  readonly events: MarketEventBus
  readonly sourceState: SourceState
  /** Compares open-interest estimates with the published figures; undefined without an archive. */
  readonly settlements: SettlementCheck | undefined
  /** Resolves once the threads that collect prints run; rejects if one fails to start. */
  readonly ready: Promise<void>
  /** Starts to recompute outdated figures in the archive. Called late, so that the first responses need not wait. */
  readonly startBacklog: () => void
  /** Loads the whole universe, which waits while the past of the first symbol is made; does nothing if it did not wait. */
  readonly loadAll: () => void
}

/** Starts the engine, and begins to load the market once its archive is open. */
export async function startMarket(
  config: Config,
  { source: settings, scans, threads }: Begun,
  { log, metrics, presets }: Foundations,
  { connector, events, opening }: OpeningRecording,
  shutdown: Shutdown
): Promise<RunningMarket> {
  const stated = referenceSettings(config, settings.capture)
  logCaptureEnd(settings.capture, log, shutdown)
  const endpoints = endpointsWith(config.features)
  const engine = await createEngine(config, settings, connector, endpoints, { threads, log })
  shutdown.add(() => engine.close())
  const recording = await opening
  events.on('sourceAnswered', ({ known, seconds }) =>
    metrics.load(connector.name, known ? 'loaded' : 'unknown', seconds)
  )
  events.on('olderDropped', ({ seconds }) => metrics.load(connector.name, 'older', seconds))
  events.on('doubtEnded', ({ reason, by }) => metrics.doubtEnded(reason, by))
  events.on('sourceFailed', ({ seconds }) => {
    if (shutdown.begun) return // after a stop, aborted loads are not failures of the source
    metrics.load(connector.name, 'failed', seconds)
  })
  const sourceState = new SourceState(events, Date.now)
  keepRefused(config, connector, events, { log, metrics }, shutdown)
  logSource({ events, log, wallNow: Date.now, steadyNow, isStopping: () => shutdown.begun })
  const marketNow = marketClock(config, connector)
  const { pastTapes: tapeBytes } = config.memory
  const universe = config.universe?.map((symbol): UniverseSymbol => ({ symbol, tier: 1 })) ?? connector.universe
  const ratesIndex = ratesIndexOf(config.assumptions)
  const onAsked = (symbol: Ticker) => events.emit('pastAsked', { symbol })
  const generated = connector.minutePrices === undefined ? undefined : new GeneratedPrices(engine, onAsked)
  const today = () => tradeDate(marketNow())
  const pastSettings = { ratesIndex, tapeBytes, confidence: config.flowConfidence, today }
  const past = recording.store && new ArchiveReader(recording.store, engine, pastSettings)
  const standing = standingFlow(config, connector, past)
  const tapes =
    standing === undefined
      ? await createTapes(config, settings, connector, recording, events, { log, metrics })
      : undefined
  shutdown.add(async () => tapes?.close())
  const holdsBack = seeds(config, connector) && recording.watch !== undefined
  const live = new LiveMarket({
    engine,
    tapes,
    pastStrikes: past?.strikes,
    pastChains: past,
    pastTapes: past?.tapes,
    standing,
    source: connector,
    archive: recording.store,
    generated,
    events,
    watch: recording.watch,
    presets: () => presets.current,
    maxViewBytes: config.memory.views,
    maxClosingContracts: config.memory.closingContracts,
    qualityFloor: config.qualityFloor,
    ratesIndex,
    universe,
    example: exampleSymbol(connector),
    holdsBack,
    marketNow,
    wallNow: Date.now,
    steadyNow
  })
  // Members that serve find in the history what collectors read.
  if (config.member.collects) await startReferences(stated, universe, recording, events, { log, metrics }, shutdown)
  shutdown.add(() => live.stop())
  if (settings.shared !== undefined) {
    const { startSharing } = await import('./running-shelf.ts')
    startSharing(settings.shared, { connector, engine, live, events, marketNow }, { log, metrics }, shutdown)
  }
  await live.start() // the engine works on its first load while this thread continues
  // A real source may not deliver past prints later, so prints of the default symbols are collected from the start.
  if (connector.prints !== undefined && !connector.synthetic && config.member.collects) {
    const taped = new Set(universe.map(({ symbol }) => parentOfRoot(symbol) ?? symbol))
    // In reverse order: if there is no room for all symbols, the last ones added stay, and the first symbols of the
    // list matter most.
    for (const symbol of [...taped].slice(0, config.flowSymbols).reverse()) tapes?.keep(symbol, 'pinned')
  }
  const endOfDay = new EndOfDay({
    market: live,
    symbols: recordedSymbols(recording, live),
    series: connector.provides.includes('macro') ? Object.values(macroSeries).map(({ symbol }) => symbol) : [],
    onFailure: (symbol, error) => log.warn({ symbol, reason: error.message }, 'the day could not be taken yet')
  })
  const loadAll = () => {
    live.loadAll()
    if (recording.watch !== undefined && !shutdown.begun) endOfDay.start()
  }
  if (!holdsBack) loadAll()
  shutdown.add(() => endOfDay.stop())
  keepFigures(config, recording, { engine, events }, shutdown)
  const settlements = settlementsOf(config, recording, marketNow, log, shutdown)
  const ready = tapes?.ready ?? Promise.resolve()
  const startBacklog = () => {
    startRecordMigration(recording, { engine, events }, log, shutdown)
    startWaitingFigures(config, recording, { engine, marketNow }, log, shutdown)
  }
  const parts = { connector, scans, endpoints, engine, live, recording, generated, events, sourceState, settlements }
  return { ...parts, ready, startBacklog, loadAll: holdsBack ? loadAll : () => {} }
}

/**
 * Flow of the moment at which the clock stands, from the archive: a source without prints is polled there once. Undefined
 * if the clock runs, the source has prints, or no flow is wanted.
 */
function standingFlow(
  config: Config,
  connector: Connector,
  past: ArchiveReader | undefined
): (() => ReplayMarket) | undefined {
  const at = clockStandsAt(config, connector)
  if (at === undefined || past === undefined || connector.prints !== undefined || config.flowSymbols === 0) {
    return undefined
  }
  return () => new ReplayMarket(past, at, [])
}

/** Symbol for examples in documentation and messages: SPY if the source has it, otherwise the source's first symbol. */
export function exampleSymbol({ universe }: Pick<Connector, 'universe'>): Ticker {
  const known = 'SPY' as Ticker
  return universe.find(({ symbol }) => symbol === known)?.symbol ?? universe[0]?.symbol ?? known
}

function keepFigures(
  { assumptions }: Config,
  { store, watch, enqueue }: RunningRecording,
  { engine, events }: Pick<RunningMarket, 'engine' | 'events'>,
  shutdown: Shutdown
): void {
  if (store === undefined || watch === undefined) return
  const live = new LiveFigures({ store, engine, ratesIndex: ratesIndexOf(assumptions) })
  // After a stop the engine is closed, which is no failure of the archive: the next start computes the missing rows.
  const write = () =>
    live.write().catch((error) => {
      if (!shutdown.begun) throw error
    })
  events.on('snapshotRecorded', (chain) => {
    // If this fails, background work later notices that the row is missing and computes it.
    engine.run('makeFigureRow', { chain }).then(
      (row) => live.take(chain, row) && enqueue(write),
      () => {}
    )
  })
}

function startWaitingFigures(
  { assumptions, flowConfidence: confidence }: Config,
  { store, readOnce, watch }: RunningRecording,
  { engine, marketNow: now }: Pick<RunningMarket, 'engine'> & { readonly marketNow: () => Instant },
  log: Log,
  shutdown: Shutdown
): void {
  if (store === undefined || readOnce === undefined || watch === undefined) return
  const maker = new FigureMaker({ store: readOnce, engine, ratesIndex: ratesIndexOf(assumptions), confidence })
  startFigureBacklog({ store, maker, now }, log, shutdown)
}

function settlementsOf(
  { assumptions, connectorValues: { seed }, flowConfidence: confidence }: Config,
  { store }: RunningRecording,
  now: () => Instant,
  log: Log,
  shutdown: Shutdown
): SettlementCheck | undefined {
  if (store === undefined) return undefined
  const context = { store, seed, assumptions, confidence }
  return startSettlementCheck({ runJob: runJobOnThread, context, now }, log, shutdown)
}

/** Counts responses of the source that checks refused, and keeps copies of them for the operator. */
function keepRefused(
  { data }: Config,
  { name }: Connector,
  events: MarketEventBus,
  { log, metrics }: Pick<Foundations, 'log' | 'metrics'>,
  shutdown: Shutdown
): void {
  const kept = new RefusedPayloads(`${data}/refused`, (error) =>
    log.error({ err: error }, 'a refused payload was not kept')
  )
  shutdown.add(() => kept.written())
  events.on('payloadRefused', ({ symbol, seconds, reason, payload }) => {
    metrics.load(name, 'refused', seconds)
    metrics.refusal(reason)
    if (payload !== undefined) kept.keep({ symbol, reason, at: Date.now(), payload })
  })
}

async function createEngine(
  { workers, assumptions, features, memory }: Config,
  source: SourceSettings,
  connector: Connector,
  endpoints: readonly Endpoint[],
  { threads: started, log }: Pick<Begun, 'threads'> & { readonly log: Log }
): Promise<Engine> {
  if (workers === 0) {
    return inlineEngine({ connector, assumptions, endpoints: new Map(endpoints.map((listed) => [listed.id, listed])) })
  }
  const onCrash = (error: Error) => log.error({ err: error }, 'a worker stopped and is replaced')
  return createPool({ workers, source, assumptions, features, program: engineProgram, started, memory, onCrash })
}

/**
 * Symbols that are recorded and also reloaded regularly. Symbols that are loaded only on request get no end-of-day
 * data.
 */
function recordedSymbols({ watch }: RunningRecording, live: LiveMarket): readonly Ticker[] {
  return live.catalogue().universe.flatMap(({ symbol }) => (watch?.symbols.has(symbol) ? [symbol] : []))
}
