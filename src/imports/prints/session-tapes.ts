import type { TapeId } from '../../archive/history-store.ts'
import { type RefusedMessage, SymbolTapes } from '../../tape/symbol-tapes.ts'
import { TapeBatch, type TapeRows } from '../../tape/tape-batch.ts'
import type { ImportWriter } from '../import-writer.ts'
import type { PrintLog, PrintPlace } from './print-log.ts'

const reasons: Readonly<Record<RefusedMessage, string>> = {
  unreadable_contract: 'its contract has no readable symbol',
  impossible_figures: 'its figures cannot be',
  unmatched_cancel: 'it takes back a print that is not there',
  past_session: 'it belongs to a session before'
}

/** Number of collected characters of tape rows at which they are written to the archive. */
const MAX_WRITE = 8 * 2 ** 20

/**
 * Writes the tapes of one symbol and session. They are built by the same code as in the running service, and each print
 * counts as known at its own time. Existing tapes are replaced.
 */
export async function writeSessionTapes(log: PrintLog, writer: ImportWriter): Promise<void> {
  const { symbol, session } = log
  const ids = [...log.kinds].map((kind): TapeId => ({ symbol, kind, session }))
  await writer.tapes(ids, rowsOf(log, writer))
}

function* rowsOf(log: PrintLog, writer: ImportWriter): Generator<TapeRows> {
  const { symbol, session, kinds } = log
  const batch = new TapeBatch({ fidelity: 'imported', headsLast: true })
  let place: PrintPlace = { file: '', line: 0 }
  let refused = false
  const tapes = new SymbolTapes({
    symbol,
    onFull: (tape) => batch.add(symbol, 'recorded', tape),
    onRefused: (reason) => {
      refused = true
      writer.reject(place.file, place.line, reasons[reason])
    }
  })
  const rows = () => [...kinds].reduce((sum, kind) => sum + tapes.tape(kind, session).position, 0)
  let before = rows()
  for (const { message, place: at } of log.messages()) {
    place = at
    refused = false
    tapes.take(message, undefined)
    const now = rows()
    if (now === before && !refused) writer.leaveOut(1) // exchange and sequence number repeat those of an earlier print
    before = now
    if (batch.size >= MAX_WRITE) yield batch.take()
  }
  for (const tape of tapes.all()) batch.add(symbol, 'recorded', tape)
  if (batch.rows > 0) yield batch.take()
  yield batch.takeHeads()
}
