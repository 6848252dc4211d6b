import type { DailyBar } from '../../market/bar.ts'
import type { Chain } from '../../market/chain.ts'
import { easternDate, easternDateTime } from '../../market/eastern.ts'
import type { Instant, IsoDate } from '../../market/units.ts'
import { MILLISECONDS_PER_DAY } from '../../market/units.ts'
import type { Connector } from '../port/connector.ts'
import type { ScanCounts } from '../port/scans.ts'
import { SourceError } from '../port/source-error.ts'
import { readCboeChain } from './cboe-chain.ts'
import { malformed } from './cboe-payload.ts'
import { cboeTerms } from './cboe-terms.ts'
import type { PayloadIndex, RecordedPayload } from './recorded-payloads.ts'
import { indexPayloads, readPayload } from './recorded-payloads.ts'

export interface CboeFilesSettings {
  /** A folder of recorded payloads, or one payload file. */
  readonly path: string
  /** Market time to show; undefined for the time of the newest recording. */
  readonly asOf: Instant | undefined
  /** Result of `indexPayloads` for `path`, so that a second thread need not search the folder again. */
  readonly index?: PayloadIndex
  readonly scans?: ScanCounts | undefined
}

export interface CboeFiles extends Connector {
  /** Files of the folder that were skipped because they are not payloads, with the reason. */
  readonly unreadable: PayloadIndex['unreadable']
}

/**
 * Creates a connector that shows recorded payloads: for each symbol the newest one up to `asOf`. If a symbol was not
 * recorded on that day, this is an earlier day's chain, which states its own time. Chains are not cached here.
 */
export async function createCboeFiles(settings: CboeFilesSettings): Promise<CboeFiles> {
  const { recordings, unreadable } = settings.index ?? (await indexPayloads(settings.path))
  const chosen = settings.asOf ?? Math.max(...recordings.map(({ asOf }) => asOf))
  const past = recordings.filter(({ asOf }) => asOf <= chosen)
  const ofDay = past.filter(({ session }) => session === easternDate(chosen))
  if (ofDay.length === 0) throw new SourceError('unavailable', nothingBy(chosen, recordings))
  const fixedAt = Math.max(...ofDay.map(({ asOf }) => asOf))
  const tickers = [...new Set(past.map(({ symbol }) => symbol))].sort()

  return {
    name: 'cboe-files',
    synthetic: false,
    provides: ['chains', 'bars'],
    terms: cboeTerms,
    pace: MILLISECONDS_PER_DAY, // a recording never changes
    universe: tickers.map((symbol) => ({ symbol, tier: 1 })),
    tickers,
    listsAll: true,
    fixedAt,
    unreadable,
    latest: () => fixedAt,
    chain: async (symbol, _now, signal) => {
      const newest = past.findLast((recording) => recording.symbol === symbol)
      return newest === undefined ? undefined : loadChain(newest, settings.scans, signal)
    },
    holdsPast: true,
    closingChain: async (symbol, session, signal) => {
      const ofSession = past.filter((recording) => recording.symbol === symbol && recording.session === session)
      const recorded = ofSession.find(({ closed }) => closed)
      return recorded && loadChain(recorded, settings.scans, signal)
    },
    dailyBars: async (symbol, now) => {
      const bars = new Map<IsoDate, DailyBar>()
      for (const recording of past) {
        const { bar } = recording
        if (recording.symbol === symbol && recording.asOf <= now && bar !== undefined) bars.set(bar.date, bar)
      }
      return [...bars.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
    }
  }
}

async function loadChain(
  { file, symbol, asOf }: RecordedPayload,
  scans: ScanCounts | undefined,
  signal: AbortSignal
): Promise<Chain> {
  const bytes = await readPayload(file, signal)
  signal.throwIfAborted()
  const { chain } = readCboeChain(bytes, scans)
  if (chain.symbol !== symbol || chain.asOf !== asOf) throw malformed('it changed since it was indexed')
  return chain
}

const MAX_NAMED = 10

function nothingBy(moment: Instant, recordings: readonly RecordedPayload[]): string {
  const day = easternDate(moment)
  const later = recordings.filter(({ session }) => session === day).map(({ asOf }) => easternDateTime(asOf).slice(11))
  const at = easternDateTime(moment).slice(0, 19)
  if (later.length > 0) return `no payload of ${at} or earlier that day was recorded; the day has ${listed(later)}`
  const days = recordings.map(({ session }) => session)
  return `no payload of the session ${day} was recorded; there are ${listed(days)}`
}

function listed(texts: readonly string[]): string {
  const all = [...new Set(texts)].sort()
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : ''
  return `${all.slice(0, MAX_NAMED).join(', ')}${more}`
}
