import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { DailyBar } from '../../market/bar.ts'
import { easternDate } from '../../market/eastern.ts'
import { momentOf } from '../../market/payload-moment.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import { SourceError } from '../port/source-error.ts'
import { readPayloadHead } from './cboe-payload.ts'
import { cboeDailyBar } from './cboe-underlying.ts'

export interface RecordedTimes {
  readonly fetched: Instant
  readonly asOf: Instant
}

export interface RecordedPayload extends RecordedTimes {
  readonly file: string
  readonly symbol: Ticker
  readonly session: IsoDate
  readonly closed: boolean
  readonly bar: DailyBar | undefined
}

/**
 * Index of the recorded payloads in a folder: one per symbol and market time, sorted by symbol, then by time. Plain
 * data, so that it can be sent to another thread.
 */
export interface PayloadIndex {
  readonly recordings: readonly RecordedPayload[]
  readonly unreadable: readonly { readonly file: string; readonly reason: string }[]
}

export const payloadName = /\.json(\.gz)?$/i

const PAYLOAD_LIMIT = 512 * 1024 * 1024
const MIN_PIECE = 2 ** 16
const MAX_PIECE = 2 ** 25
const READERS = 3

/**
 * Indexes a folder with its sub-folders, or one file, by reading the head of every payload (.json or .json.gz). File
 * names are ignored. Of two payloads with the same symbol and market time, only the better one is kept (see
 * `isBetterRecording`). Throws if no file can be read.
 */
export async function indexPayloads(path: string): Promise<PayloadIndex> {
  const waiting = await filesAt(path)
  const found: RecordedPayload[] = []
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
  return { recordings: bestOfEach(found), unreadable }
}

/**
 * Whether payload `a` describes its session better than payload `b` with the same market time. A payload fetched on the
 * date of the session wins, because by the next morning its open interest may be the next day's. Otherwise the payload
 * fetched later wins.
 */
export function isBetterRecording(a: RecordedTimes, b: RecordedTimes): boolean {
  const [sameDay, otherSameDay] = [isOfItsDay(a), isOfItsDay(b)]
  return sameDay === otherSameDay ? a.fetched > b.fetched : sameDay
}

function isOfItsDay({ fetched, asOf }: RecordedTimes): boolean {
  return easternDate(fetched) === easternDate(asOf)
}

export async function readPayload(file: string, signal?: AbortSignal): Promise<Buffer> {
  const bytes = await readFile(file, signal === undefined ? {} : { signal })
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!packed) return bytes
  return promisify(gunzip)(bytes, { maxOutputLength: PAYLOAD_LIMIT, chunkSize: roomFor(bytes) })
}

/**
 * Size of gunzip's output buffer, chosen so that it unpacks the file in one piece. One piece is unpacked in the
 * background; each further piece would wait for this thread. The unpacked size is read from the end of the gzip file
 * (RFC 1952, ISIZE) and kept within bounds.
 */
function roomFor(packed: Buffer): number {
  const stated = packed.length < 4 ? 0 : packed.readUInt32LE(packed.length - 4)
  return Math.min(Math.max(stated + 1, MIN_PIECE), MAX_PIECE)
}

function recordingOf(file: string, bytes: Buffer): RecordedPayload {
  const head = readPayloadHead(bytes)
  const { session, closed, asOf } = momentOf(head)
  return {
    file,
    symbol: head.symbol,
    session: session.date,
    asOf,
    closed,
    fetched: head.fetched,
    bar: cboeDailyBar(head)
  }
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && payloadName.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SourceError('unavailable', `the recorded payloads cannot be opened: ${reason}`)
  }
}

function bestOfEach(found: readonly RecordedPayload[]): readonly RecordedPayload[] {
  const best = new Map<string, RecordedPayload>()
  for (const recording of found.toSorted((a, b) => (a.file < b.file ? -1 : 1))) {
    const key = `${recording.symbol} ${recording.asOf}`
    const other = best.get(key)
    if (other === undefined || !isBetterRecording(other, recording)) best.set(key, recording)
  }
  return [...best.values()].sort((a, b) => (a.symbol === b.symbol ? a.asOf - b.asOf : a.symbol < b.symbol ? -1 : 1))
}

function nothingReadable(path: string, unreadable: PayloadIndex['unreadable']): string {
  const reasons = unreadable.slice(0, 3).map(({ file, reason }) => `${basename(file)}: ${reason}`)
  return [`no recorded payload can be read at ${path}`, ...reasons].join('; ')
}
