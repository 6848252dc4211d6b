/** The data base cannot be opened or used; the message tells the operator what to change. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
}

/** The data folder takes no writes at the moment. Of what was asked nothing is kept; it can be tried again later. */
export class StorageError extends DatabaseError {
  override readonly name = 'StorageError'
  /** Why, without the path: for people who may not know it. */
  readonly reason: string

  constructor(folder: string, reason: string, cause?: unknown) {
    super(`the data folder ${folder} cannot be written: ${reason}`, { cause })
    this.reason = reason
  }
}

/** Beginnings of the codes of SQLite and of the system, and what they say of a disk. */
const reasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^(SQLITE_FULL|ENOSPC$)/, 'the disk is full'],
  [/^EDQUOT$/, 'the quota of the disk is used up'],
  [/^EFBIG$/, 'a file has reached the largest size allowed'],
  [/^(SQLITE_READONLY|EROFS$)/, 'the disk is read-only'],
  [/^(SQLITE_IOERR|EIO$)/, 'the disk does not work (an input or output error)'],
  [/^(SQLITE_CANTOPEN|EACCES$|EPERM$)/, 'its files cannot be opened for writing'],
  [/^(EMFILE|ENFILE)$/, 'too many files are open']
]

/** What an error says of the disk; undefined for one that is about something else. */
export function storageReason(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  if (typeof code !== 'string') return undefined
  return reasons.find(([pattern]) => pattern.test(code))?.[1]
}

/** An error as a StorageError where it is about the disk, else as it is. */
export function asStorageError(error: unknown, folder: string): unknown {
  const reason = storageReason(error)
  return reason === undefined ? error : new StorageError(folder, reason, error)
}
