import type { Kysely, Transaction } from 'kysely'
import type { SchemaWords, Tables } from './accounts-schema.ts'
import type { Directory } from './directory.ts'
import type { Sharing } from './sharing.ts'

/** Builds and runs statements of the accounts, outside of a transaction or inside one. */
export type Queries = Kysely<Tables>
/** A transaction that is under way. A statement belongs to it only if it is built with it. */
export type Changes = Transaction<Tables>

/**
 * The database of users, keys, usage and alerts: a file in the data folder or a PostgreSQL server. Writes that fail
 * because it accepts none throw a StorageError.
 */
export interface Database {
  /** Runs statements that only read. They see what is committed and never wait for a transaction of this process. */
  readonly read: Queries
  /** How its schema is written. */
  readonly words: SchemaWords
  /** What every request looks up without waiting. */
  readonly directory: Directory
  /**
   * Runs `work` in a transaction that may be lost in a power cut and waits only briefly for a lock; suits batches that
   * can be repeated.
   */
  batch<Result>(work: (tx: Changes) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` in a transaction that is on disk when the promise resolves; suits changes that the caller is told have
   * succeeded (a key, a revocation). Transactions take turns, so `work` must begin no other one.
   */
  durably<Result>(work: (tx: Changes) => Promise<Result>): Promise<Result>
  /** Number of durable changes so far, also of other processes. */
  revision(): Promise<number>
  /** Calls `listener`, which must not fail, after each durable change of this process, before its promise resolves. */
  onChange(listener: () => Promise<void>): void
  /**
   * Calls `onChange` when a service of the same database says that accounts changed; nobody may rely on it. `onArriving`
   * learns whether what services say arrives. A file says nothing. At most one caller.
   */
  onNotice(onChange: () => void, onArriving: (arrives: boolean) => void): void
  /**
   * Runs a statement in a transaction of its own that may be lost in a power cut, without holding up this thread. It may
   * wait a while for a lock, which holds up nobody.
   */
  inBackground(sql: string): Promise<void>
  /** Work that services of the same database share; undefined if no other service uses it. */
  readonly sharing: Sharing | undefined
  /** Sentence about acknowledged changes that were missing when the database was opened; undefined if none were. */
  readonly loss: string | undefined
  /** Opens the database for writing if it could only be read so far and the disk has room again. */
  recover(): void
  /** Moves what was written from the side file into the database, so that damage to the side file loses little. */
  checkpoint(): Promise<void>
  close(): Promise<void>
}

/** Runs `work` in the transaction `within` if there is one, else in a durable one of its own. */
export function durably<Result>(
  database: Pick<Database, 'durably'>,
  within: Changes | undefined,
  work: (tx: Changes) => Promise<Result>
): Promise<Result> {
  return within === undefined ? database.durably(work) : work(within)
}
