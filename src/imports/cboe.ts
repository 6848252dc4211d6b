import type { Absence } from '../archive/store.ts'
import { dailyBarOf, type MappedPayload, mapPayload } from '../connectors/cboe/map.ts'
import { parsePayload } from '../connectors/cboe/payload.ts'
import { readPayload } from '../connectors/cboe/recording.ts'
import type { DailyBar } from '../market/bar.ts'
import type { Instant } from '../market/units.ts'
import { filesAt } from './files.ts'
import { type ImportWriter, reasonOf } from './import-writer.ts'
import { readAhead } from './read-ahead.ts'

/** Payloads that are read and unpacked while one is parsed, so that neither waits for the other. */
const ahead = { files: 3, bytes: 256 * 1024 * 1024 }

const missing: readonly Absence[] = ['trade_tape', 'macro_intraday']

/**
 * Imports recorded payloads of the exchange's delayed quotes (.json or .json.gz). Names are not believed: a payload
 * belongs to the session of its newest trade. One of a session that was over becomes the snapshot of the close and the
 * bar of that day; one of a session that was running the snapshot of its newest trade. Of two payloads of one moment the
 * one fetched last counts.
 */
export async function importCboe(paths: readonly string[], writer: ImportWriter): Promise<void> {
  const files = await filesAt(paths, /\.json(\.gz)?$/i)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const newest = new Map<string, Instant>()
  let done = 0
  for await (const { path, size, bytes } of readAhead(files, readPayload, ahead)) {
    if (writer.signal.aborted) break
    const found = await attempt(async () => read(await bytes), path, writer)
    if (found !== undefined) await writePayload(path, found, newest, writer)
    done += size
    await writer.progress(path, done, total)
  }
}

/** `newest`: when the payload of each moment was fetched that is taken so far. */
async function writePayload(
  path: string,
  found: Read,
  newest: Map<string, Instant>,
  writer: ImportWriter
): Promise<void> {
  const { chain, bar, fetched, leftOut } = found
  const moment = `${chain.symbol} ${chain.asOf}`
  const other = newest.get(moment)
  if (other !== undefined && other > fetched) return
  if (other !== undefined) await writer.drain() // what is written last counts, so the other must be written by now
  newest.set(moment, fetched)
  if (leftOut.unreadable > 0) {
    writer.reject(path, undefined, `${leftOut.unreadable} of its contracts have no readable symbol of their own`)
  }
  writer.leaveOut(leftOut.adjusted + leftOut.expired)
  await writer.snapshot({ chain, fidelity: 'imported', missing })
  if (bar !== undefined) await writer.bars(chain.symbol, [bar], 'imported')
}

interface Read extends MappedPayload {
  readonly bar: DailyBar | undefined
  readonly fetched: Instant
}

function read(bytes: Buffer): Read {
  const payload = parsePayload(bytes)
  return { ...mapPayload(payload), bar: dailyBarOf(payload), fetched: payload.fetched }
}

/** What comes of a file, undefined where it cannot be used: the reason is then in the report. */
async function attempt<Found>(
  find: () => Promise<Found>,
  path: string,
  writer: ImportWriter
): Promise<Found | undefined> {
  try {
    return await find()
  } catch (error) {
    writer.reject(path, undefined, reasonOf(error))
    return undefined
  }
}
