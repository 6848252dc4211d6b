import { DatabaseError } from '../accounts/database.ts'
import { AccountError } from '../accounts/users.ts'
import { ConfigError } from '../config.ts'
import { SourceError } from '../connectors/connector.ts'

/** What Node adds to errors of the system, where it applies. */
type SystemFault = Partial<Record<'code' | 'syscall' | 'port' | 'address' | 'path', unknown>>

/** Errors whose message was written for the operator. */
const expected = [ConfigError, AccountError, DatabaseError, SourceError]

/** The sentence an operator reads when a command fails. Only a fault of our own shows its stack. */
export function sentenceFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (expected.some((kind) => error instanceof kind)) return error.message
  const { code, syscall, port, address, path } = error as Error & SystemFault
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
