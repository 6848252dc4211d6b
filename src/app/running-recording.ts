import { archiveFolder, type MarketKind, originOf, rememberSource } from '../archive/archive-folder.ts'
import { withFormerNames } from '../archive/former-names.ts'
import type { Damage } from '../archive/history-error.ts'
import type { HistoryStore } from '../archive/history-store.ts'
import { withKeptDays } from '../archive/kept-days.ts'
import { openHistory } from '../archive/open.ts'
import type { SessionFiles } from '../archive/session-files/session-files.ts'
import { withSessionFiles } from '../archive/session-files/with-session-files.ts'
import { type RecorderOptions, type RecorderState, SnapshotRecorder } from '../archive/snapshot-recorder.ts'
import type { Config } from '../config/config.ts'
import type { Connector } from '../connectors/port/connector.ts'
import { sourceNames, sourceText } from '../connectors/port/source-provenance.ts'
import type { MarketEventBus } from '../live/market-events.ts'
import { macroSeriesOf } from '../market/macro-series.ts'
import { parentOfRoot } from '../market/security.ts'
import { MILLISECONDS_PER_DAY, type Ticker } from '../market/units.ts'
import { ratesIndexOf } from '../pricing/assumptions.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import { RECORD_VERSION } from '../signals/daily-record-measures.ts'
import { figureVersion } from '../signals/figure-version.ts'

type Opened = Awaited<ReturnType<typeof openHistory>>

/** The archive of a running service, and functions that write to it. */
export interface RunningRecording {
  /** The archive; undefined if there is none, and `reason` says why. */
  readonly store: Opened['store']
  readonly reason: string | undefined
  /** Whether there is an archive whose files are so damaged that it cannot be opened. */
  readonly isDamaged: boolean
  /** Damage of the archive that was met since the start, each file once. */
  readonly damage: () => readonly Damage[]
  /** The archive without session files (fast copies of past snapshots), for work that reads each snapshot only once. */
  readonly readOnce: Opened['store']
  /** Counts of session files (fast copies of past snapshots); undefined if all snapshots are read from the archive. */
  readonly sessionFiles: Pick<SessionFiles, 'reads' | 'bytes'> | undefined
  /** Days whose daily record was computed by older formulas and must be recomputed. */
  readonly outdated: Opened['outdated']
  /** Names of the sources that supplied the recorded snapshots. They may differ from the current source. */
  readonly origin: () => string
  /** Recorded symbols and the interval between their snapshots, milliseconds. Undefined if nothing is recorded. */
  readonly watch: { readonly symbols: ReadonlySet<Ticker>; readonly every: number } | undefined
  state(): RecorderState | undefined
  /**
   * Runs a write to the archive after the writes of all snapshots recorded so far. Does nothing if nothing is recorded.
   */
  enqueue(write: () => Promise<void>): void
  /** Writes everything that waits, then closes the archive. */
  close(): Promise<void>
}

export interface RecordingOptions extends Required<Pick<RecorderOptions, 'onChange' | 'onUnwritable'>> {
  /** Events of the live market. Data of recorded symbols that they announce is written to the archive. */
  readonly events: MarketEventBus
  readonly onError: (error: unknown) => void
  /** Called once for each damaged file of the archive that is met. */
  readonly onDamage: (damage: Damage) => void
  /**
   * Called if a session file (a fast copy of past snapshots) cannot be written. The archive itself still has the data.
   */
  readonly onFileError: (error: unknown) => void
}

/** Memory for snapshots that wait while writes to the archive fail, bytes. */
const MAX_WAITING_BYTES = 256 * 2 ** 20
const TIDY_EVERY = 6 * 3_600_000

/**
 * Opens the configured archive and begins to record the live market. Throws if the archive exists but cannot be used.
 */
export async function openRecording(
  config: Config,
  source: Pick<Connector, 'name' | 'synthetic' | 'suppliers' | 'alternatives'>,
  { events, onError, onDamage, onFileError, ...outcomes }: RecordingOptions
): Promise<RunningRecording> {
  const { data, history, assumptions, flowConfidence, memory } = config
  const kind: MarketKind = source.synthetic ? 'synthetic' : 'real'
  const folder = archiveFolder(data, kind)
  const versions = {
    recordVersion: RECORD_VERSION,
    figureVersion: figureVersion(assumptions, flowConfidence),
    ratesIndex: ratesIndexOf(assumptions)
  }
  const damaged = new Map<string, Damage>()
  const noteDamage = (damage: Damage) => {
    if (damaged.has(damage.path)) return
    damaged.set(damage.path, damage)
    onDamage(damage)
  }
  const damage = () => [...damaged.values()]
  const {
    store: opened,
    reason,
    isDamaged = false,
    outdated
  } = await openHistory({ data, folder, history, cacheBytes: memory.engineCaches, onDamage: noteDamage, ...versions })
  const { store, ...read } = opened === undefined ? none : quickened(opened, config, folder, onFileError)
  // Other services may write to a database on a server, so the file in our folder does not tell where its snapshots
  // came from.
  let origin = history === 'embedded' ? originOf(folder) : sourceText(source)
  if (store === undefined || config.record === 'off' || !config.member.collects) {
    const close = async () => store?.close()
    return {
      store,
      ...read,
      reason,
      isDamaged,
      damage,
      outdated,
      origin: () => origin,
      watch: undefined,
      state: () => undefined,
      enqueue: () => {},
      close
    }
  }
  const remembered = new Set<string>()
  const remember = (name: string) => {
    if (history !== 'embedded' || remembered.has(name)) return
    remembered.add(name)
    rememberSource(folder, kind, name)
    origin = originOf(folder)
  }
  // Fallback sources are named as sources of the archive only once they have delivered data.
  const { alternatives = [] } = source.suppliers?.chains ?? source
  const spare = new Set(alternatives.slice(1).map(({ name }) => name))
  for (const name of sourceNames(source)) if (!spare.has(name)) remember(name)
  const recorder = new SnapshotRecorder({
    store,
    every: config.recordEvery,
    maxWaitingBytes: MAX_WAITING_BYTES,
    ...outcomes
  })
  const symbols = new Set(config.record === 'seen' ? [] : config.record.map((symbol) => parentOfRoot(symbol) ?? symbol))
  const wanted = (symbol: Ticker) => config.record === 'seen' || symbols.has(symbol)
  const record = (chain: PricedChain) => {
    if (!wanted(chain.symbol) || !recorder.record(chain)) return
    if (chain.source !== undefined) remember(chain.source)
    events.emit('snapshotRecorded', chain)
  }
  events.on('chainSwapped', record)
  events.on('closeLearned', record)
  events.on('barsLearned', ({ symbol, bars }) => {
    if (wanted(symbol) || macroSeriesOf(symbol) !== undefined)
      recorder.enqueue(() => store.writeBars(symbol, bars, 'recorded'))
  })
  events.on('recordsLearned', ({ symbol, records }) => {
    if (wanted(symbol)) recorder.enqueue(() => store.writeRecords(symbol, records))
  })
  events.on('earningsLearned', ({ symbol, statements }) => {
    if (wanted(symbol)) recorder.enqueue(() => store.writeEarnings(statements))
  })
  events.on('eventRecordsLearned', ({ symbol, records }) => {
    if (wanted(symbol)) recorder.enqueue(() => store.writeEventRecords(symbol, records))
  })
  events.on('zeroDteSampled', (taken) => {
    const rows = taken.filter(({ symbol }) => wanted(symbol))
    if (rows.length > 0) recorder.enqueue(() => store.writeZeroDte(rows))
  })
  events.on('pressureSampled', (taken) => {
    const rows = taken.filter(({ symbol }) => wanted(symbol))
    if (rows.length > 0) recorder.enqueue(() => store.writePressure(rows))
  })
  let closing = false
  // Not awaited, because it may take minutes. If the service stops in between, the next start repeats the work.
  const tidyUp = () => forgetOld(store, config.keepDays).catch((error) => closing || onError(error))
  const tidy = setInterval(tidyUp, TIDY_EVERY).unref()
  tidyUp()
  return {
    store,
    ...read,
    reason,
    isDamaged,
    damage,
    outdated,
    origin: () => origin,
    watch: { symbols, every: config.recordEvery },
    state: () => recorder.state,
    enqueue: (write) => recorder.enqueue(write),
    async close() {
      closing = true
      clearInterval(tidy)
      await recorder.close()
      await store.close()
    }
  }
}

type Read = Pick<RunningRecording, 'store' | 'readOnce' | 'sessionFiles'>

const none: Read = { store: undefined, readOnce: undefined, sessionFiles: undefined }

/**
 * Makes an archive faster to read: adds files with past sessions, and keeps lists of recorded days in memory. What was
 * written under an earlier symbol of a company is found under its newest one.
 */
function quickened(
  opened: NonNullable<Opened['store']>,
  { history, replayFileBytes: maxBytes }: Config,
  folder: string,
  onError: (error: unknown) => void
): Read {
  const isEmbedded = history === 'embedded'
  // Only this process writes to an embedded archive. A server may have other writers, so its version is checked for
  // changes.
  const days = withKeptDays(opened, isEmbedded ? {} : { version: opened.daysVersion })
  const readOnce = withFormerNames(days)
  if (maxBytes === 0) return { store: readOnce, readOnce, sessionFiles: undefined }
  const options = { folder: `${folder}-images`, maxBytes, shared: !isEmbedded, onError }
  const { store, files } = withSessionFiles(days, options)
  const { snapshot, closingSnapshot } = days
  return {
    store: withFormerNames(store),
    readOnce: withFormerNames({ ...store, snapshot, closingSnapshot }),
    sessionFiles: files
  }
}

/** Thins out old sessions: of their snapshots only the last one is kept. */
async function forgetOld(store: HistoryStore, days: number): Promise<void> {
  if (days > 0) await store.deleteBefore(Date.now() - days * MILLISECONDS_PER_DAY, { keepCloses: true })
}
