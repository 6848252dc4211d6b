import type { Absence } from '../archive/history-store.ts'
import { readCboeChain } from '../connectors/cboe/cboe-chain.ts'
import { cboeDailyBar } from '../connectors/cboe/cboe-underlying.ts'
import type { CboeChain } from '../connectors/cboe/json-chain.ts'
import {
  isBetterRecording,
  payloadName,
  type RecordedTimes,
  readPayload
} from '../connectors/cboe/recorded-payloads.ts'
import type { DailyBar } from '../market/bar.ts'
import type { Instant } from '../market/units.ts'
import { filesAt } from './import-files.ts'
import { type ImportWriter, reasonOf } from './import-writer.ts'
import { readAhead } from './read-ahead.ts'

/** Limits on the payloads that are read and unpacked while another one is parsed. */
const ahead = { files: 3, bytes: 256 * 1024 * 1024 }

const missing: readonly Absence[] = ['trade_tape', 'macro_intraday']

/**
 * Imports recorded payloads of Cboe's delayed quotes (.json or .json.gz). File names are ignored: a payload belongs to
 * the session of its newest trade, or to the session about to open (see `momentOf`). A payload of a finished session
 * becomes a snapshot at the close, and the daily bar. One taken during a session becomes a snapshot at its newest
 * trade. One taken before the opening becomes a snapshot at the time of its fetch, and the bar of the previous session.
 * If two payloads have the same time, the better one counts (see `isBetterRecording`).
 */
export async function importCboe(paths: readonly string[], writer: ImportWriter): Promise<void> {
  const files = await filesAt(paths, payloadName)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const best = new Map<string, RecordedTimes>()
  let done = 0
  for await (const { path, size, bytes } of readAhead(files, readPayload, ahead)) {
    if (writer.signal.aborted) break
    const found = await attempt(async () => read(await bytes), path, writer)
    if (found !== undefined) await writePayload(path, found, best, writer)
    done += size
    await writer.progress(path, done, total)
  }
}

/**
 * Writes a payload's snapshot and bar, each unless a better payload was used before. `best` holds the payload used so
 * far for each snapshot and bar.
 */
async function writePayload(
  path: string,
  found: Read,
  best: Map<string, RecordedTimes>,
  writer: ImportWriter
): Promise<void> {
  const { chain, bar, fetched, leftOut } = found
  const isBest = async (what: string) => {
    const other = best.get(what)
    const own = { fetched, asOf: chain.asOf }
    if (other !== undefined && isBetterRecording(other, own)) return false
    if (other !== undefined) await writer.drain() // the last write wins, so the earlier payload must be written by now
    best.set(what, own)
    return true
  }
  if (bar !== undefined && (await isBest(`bar of ${chain.symbol} ${bar.date}`))) {
    await writer.bars(chain.symbol, [bar], 'imported')
  }
  if (!(await isBest(`${chain.symbol} ${chain.asOf}`))) return
  if (leftOut.unreadable > 0) {
    writer.reject(path, undefined, `${leftOut.unreadable} of its contracts have no readable symbol of their own`)
  }
  writer.leaveOut(leftOut.adjusted + leftOut.expired)
  await writer.snapshot({ chain, fidelity: 'imported', missing })
}

interface Read extends CboeChain {
  readonly bar: DailyBar | undefined
  readonly fetched: Instant
}

function read(bytes: Buffer): Read {
  const mapped = readCboeChain(bytes)
  return { ...mapped, bar: cboeDailyBar(mapped.head), fetched: mapped.head.fetched }
}

/** Runs `find` for a file. If it fails, reports the reason and returns undefined. */
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
