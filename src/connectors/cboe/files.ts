import type { Chain } from '../../market/chain.ts'
import type { IsoDate } from '../../market/units.ts'
import { MILLISECONDS_PER_DAY } from '../../market/units.ts'
import type { Connector } from '../port/connector.ts'
import { SourceError } from '../port/source-error.ts'
import { mapPayload } from './map.ts'
import { malformed, parsePayload } from './payload.ts'
import type { Recording, RecordingIndex } from './recording.ts'
import { indexRecordings, readPayload } from './recording.ts'
import { terms } from './terms.ts'

export interface CboeFilesSettings {
  /** A folder of recorded payloads, or one of them. */
  readonly path: string
  /** The session to stand at, the newest recorded one when undefined. */
  readonly session: IsoDate | undefined
  /** What `indexRecordings` found at the path, to spare a second thread the search. */
  readonly index?: RecordingIndex
}

export interface CboeFiles extends Connector {
  /** Files of the folder that are no payload, with the reason; they are passed over. */
  readonly unreadable: RecordingIndex['unreadable']
}

/**
 * Answers from recorded payloads, as of the close of one session. A symbol that was not recorded on that session is
 * answered with its newest chain before it, and `asOf` says so. Days after the session are not shown, whatever lies in
 * the folder. Nothing that was parsed is kept here.
 */
export async function createCboeFiles(settings: CboeFilesSettings): Promise<CboeFiles> {
  const { recordings, unreadable } = settings.index ?? (await indexRecordings(settings.path))
  const chosen = settings.session ?? newestSession(recordings)
  const ofSession = recordings.filter(({ session }) => session === chosen)
  if (ofSession.length === 0) throw new SourceError('unavailable', noSuchSession(chosen, recordings))
  const fixedAt = Math.max(...ofSession.map(({ asOf }) => asOf))
  const past = recordings.filter(({ session }) => session <= chosen)
  const tickers = [...new Set(past.map(({ symbol }) => symbol))].sort()

  return {
    name: 'cboe-files',
    synthetic: false,
    provides: ['chains', 'bars'],
    terms,
    pace: MILLISECONDS_PER_DAY, // a recording never changes
    universe: tickers.map((symbol) => ({ symbol, tier: 1 })),
    tickers,
    fixedAt,
    unreadable,
    latest: () => fixedAt,
    chain: async (symbol, _now, signal) => {
      const newest = past.findLast((recording) => recording.symbol === symbol)
      return newest === undefined ? undefined : loadChain(newest, signal)
    },
    holdsPast: true,
    closingChain: async (symbol, session, signal) => {
      const recorded = past.find((recording) => recording.symbol === symbol && recording.session === session)
      return recorded?.closed ? loadChain(recorded, signal) : undefined
    },
    dailyBars: async (symbol, now) =>
      past
        .filter((recording) => recording.symbol === symbol && recording.asOf <= now)
        .map(({ bar }) => bar)
        .filter((bar) => bar !== undefined)
  }
}

async function loadChain({ file, symbol, session }: Recording, signal: AbortSignal): Promise<Chain> {
  const bytes = await readPayload(file, signal)
  signal.throwIfAborted()
  const mapped = mapPayload(parsePayload(bytes))
  if (mapped.chain.symbol !== symbol || mapped.session !== session) throw malformed('it changed since it was indexed')
  return mapped.chain
}

function newestSession(recordings: readonly Recording[]): IsoDate {
  return recordings.reduce((newest, { session }) => (session > newest ? session : newest), recordings[0].session)
}

function noSuchSession(session: IsoDate, recordings: readonly Recording[]): string {
  const sessions = [...new Set(recordings.map((recording) => recording.session))].sort()
  return `no payload of the session ${session} was recorded; there are ${sessions.join(', ')}`
}
