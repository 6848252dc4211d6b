import { DatabaseError } from '../accounts/storage-error.ts'
import { AccountError } from '../accounts/users.ts'
import { HistoryError } from '../archive/history-error.ts'
import { RequestError } from '../client/request-error.ts'
import { StreamError } from '../client/stream-error.ts'
import { ConfigError } from '../config/config.ts'
import { SourceError } from '../connectors/port/source-error.ts'
import { FilesError } from '../imports/import-files.ts'
import { JobError } from '../jobs/job.ts'

/** Fields that Node adds to system errors. */
type SystemFailure = Partial<Record<'code' | 'syscall' | 'port' | 'address' | 'path', unknown>>

/** Error classes of this project whose messages are written for the operator. */
const ofParts = [AccountError, DatabaseError, HistoryError, SourceError, FilesError, JobError]
const expected = [ConfigError, RequestError, StreamError, ...ofParts]

/**
 * Message that the operator sees when a command fails. A stack trace is shown only for an unexpected error, which is a
 * bug.
 */
export function sentenceFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (expected.some((kind) => error instanceof kind)) return error.message
  const { code, syscall, port, address, path } = error as Error & SystemFailure
  if (code === 'EADDRINUSE') {
    return `port ${port} of ${address} is in use: stop the other program or choose another port`
  }
  if (syscall === 'listen') return `port ${port} of ${address} cannot be opened (${code}): choose another host or port`
  if (typeof code === 'string' && code.startsWith('SQLITE_BUSY')) {
    return 'another program is writing to the accounts: try again in a moment'
  }
  if (typeof code === 'string' && typeof path === 'string') return `${path} cannot be used (${code})`
  return error.stack ?? error.message
}
