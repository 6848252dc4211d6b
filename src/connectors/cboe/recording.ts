import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { DailyBar } from '../../market/bar.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { SourceError } from '../port/source-error.ts'
import { dailyBarOf } from './map.ts'
import { scanPayload } from './payload.ts'
import { momentOf } from './payload-moment.ts'

/** One recorded payload: where it lies and what it shows. */
export interface Recording {
  readonly file: string
  readonly symbol: Ticker
  readonly session: IsoDate
  readonly asOf: Instant
  readonly closed: boolean
  readonly fetched: Instant
  readonly bar: DailyBar | undefined
}

/** The recordings of a folder, one for each symbol and session, ascending by both. Plain data. */
export interface RecordingIndex {
  readonly recordings: readonly Recording[]
  /** Files that are no payload, with the reason. */
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[]
}

const PAYLOAD_LIMIT = 512 * 1024 * 1024
const MIN_PIECE = 2 ** 16
const MAX_PIECE = 2 ** 25
const READERS = 3

/**
 * Looks into every payload (.json or .json.gz) of a folder, or into one file. Names are not believed. Of two payloads
 * of one symbol and session the one fetched last counts. Throws where not a single file can be read.
 */
export async function indexRecordings(path: string): Promise<RecordingIndex> {
  const waiting = await filesAt(path)
  const found: Recording[] = []
  const unreadable: { file: string; reason: string }[] = []
  const read = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      try {
        found.push(recordingOf(file, await readPayload(file)))
      } catch (error) {
        unreadable.push({ file, reason: error instanceof Error ? error.message : String(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  unreadable.sort((a, b) => (a.file < b.file ? -1 : 1))
  if (found.length === 0) throw new SourceError('unavailable', nothingReadable(path, unreadable))
  return { recordings: newestOfEach(found), unreadable }
}

/** A payload file, unpacked where it is packed. */
export async function readPayload(file: string, signal?: AbortSignal): Promise<Buffer> {
  const bytes = await readFile(file, signal === undefined ? {} : { signal })
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!packed) return bytes
  return promisify(gunzip)(bytes, { maxOutputLength: PAYLOAD_LIMIT, chunkSize: roomFor(bytes) })
}

/**
 * Room to unpack a file in one piece, which goes on beside whatever this thread does; each further piece would wait
 * until it has time. A packed file ends with the size of its content, which is believed within bounds (RFC 1952, ISIZE).
 */
function roomFor(packed: Buffer): number {
  const stated = packed.length < 4 ? 0 : packed.readUInt32LE(packed.length - 4)
  return Math.min(Math.max(stated + 1, MIN_PIECE), MAX_PIECE)
}

function recordingOf(file: string, bytes: Buffer): Recording {
  const head = scanPayload(bytes)
  const { session, closed, asOf } = momentOf(head)
  return {
    file,
    symbol: head.symbol,
    session: session.date,
    asOf,
    closed,
    fetched: head.fetched,
    bar: dailyBarOf(head)
  }
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = await readdir(path)
    return names
      .filter((name) => /\.json(\.gz)?$/i.test(name))
      .map((name) => join(path, name))
      .sort()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SourceError('unavailable', `the recorded payloads cannot be opened: ${reason}`)
  }
}

function newestOfEach(found: readonly Recording[]): readonly Recording[] {
  const newest = new Map<string, Recording>()
  for (const recording of found) {
    const key = `${recording.symbol} ${recording.session}`
    const other = newest.get(key)
    if (other === undefined || isNewer(recording, other)) newest.set(key, recording)
  }
  return [...newest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, recording]) => recording)
}

function isNewer(a: Recording, b: Recording): boolean {
  return a.fetched === b.fetched ? a.file > b.file : a.fetched > b.fetched
}

function nothingReadable(path: string, unreadable: RecordingIndex['unreadable']): string {
  const reasons = unreadable.slice(0, 3).map(({ file, reason }) => `${basename(file)}: ${reason}`)
  return [`no recorded payload can be read at ${path}`, ...reasons].join('; ')
}
