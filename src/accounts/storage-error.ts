/** The database cannot be opened or used; the message tells the operator what to change. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
}

/** The accounts can be written to nowhere at the moment. Nothing of the request was stored, so it can be repeated later. */
export class StorageError extends DatabaseError {
  override readonly name = 'StorageError'
  /** The reason without the path, for users who may not see paths of the server. */
  readonly reason: string

  /** `place`: what cannot be written, such as `the data folder /data`. */
  constructor(place: string, reason: string, cause?: unknown) {
    super(`${place} cannot be written: ${reason}`, { cause })
    this.reason = reason
  }
}

/** Why accounts that were copied to another database cannot be changed. */
export const CLOSED = 'the accounts have moved to another database'

/** Error codes of SQLite and the system by which nothing can be written, matched by their beginnings, each with a description. */
const reasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC$)/, 'the disk is full'],
  [/^EDQUOT$/, 'the quota of the disk is used up'],
  [/^EFBIG$/, 'a file has reached the largest size allowed'],
  [/^(SQLITE_READONLY|EROFS$)/, 'the disk is read-only'],
  [/^(SQLITE_IOERR|EIO$)/, 'the disk does not work (an input or output error)'],
  [/^(SQLITE_CANTOPEN|EACCES$|EPERM$)/, 'its files cannot be opened for writing'],
  [/^(EMFILE|ENFILE)$/, 'too many files are open'],
  [/^SQLITE_CONSTRAINT_TRIGGER$/, CLOSED] // no other trigger refuses anything
]

/** Why nothing can be written, by an error; undefined if it says no such thing. */
export function storageReason(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  if (typeof code !== 'string') return undefined
  return reasons.find(([pattern]) => pattern.test(code))?.[1]
}

/** Converts an error by which nothing can be written to a StorageError; returns any other error unchanged. */
export function asStorageError(error: unknown, folder: string): unknown {
  const reason = storageReason(error)
  return reason === undefined ? error : new StorageError(`the data folder ${folder}`, reason, error)
}
