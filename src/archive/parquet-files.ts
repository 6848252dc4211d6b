import { createHash } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { addDays } from '../market/calendar.ts'
import { instantOfEastern } from '../market/eastern.ts'
import type { IsoDate, Ticker } from '../market/units.ts'
import type { DatabaseStore } from './clickhouse/database-store.ts'

/** Tables of a session that are given as files: quotes of all contracts, prints of options, figures over time. */
export const parquetTables = ['quotes', 'prints', 'series'] as const
export type ParquetTable = (typeof parquetTables)[number]

export interface ParquetRequest {
  readonly symbol: Ticker
  readonly session: IsoDate
  readonly table: ParquetTable
}

export interface ParquetFile {
  /** Name within the folder. */
  readonly name: string
  readonly bytes: number
}

export interface ParquetFilesOptions {
  /** Folder of the files. What lies in it from an earlier run is removed. */
  readonly folder: string
  readonly store: Pick<DatabaseStore, 'exportQuotes' | 'exportPrints' | 'exportFigures'>
  /** Columns of the table `series`. */
  readonly fields: readonly string[]
  /** Disk space for all files, bytes. The one that was asked for least lately is removed first. */
  readonly maxBytes: number
}

/**
 * Files of single sessions, made by the database when they are asked for first. A file stays the same until it is
 * forgotten, so that a reader may take it in parts.
 */
export class ParquetFiles {
  readonly #options: ParquetFilesOptions
  /** Files that are there, the least lately asked first. */
  readonly #files = new Map<string, ParquetFile & { readonly symbol: Ticker }>()
  readonly #underway = new Map<string, Promise<ParquetFile>>()
  /** Resolves when no file is being made; one is made at a time, since the database uses the whole machine for it. */
  #free: Promise<unknown> = Promise.resolve()
  #isEmptied = false
  /** How often the rows of a symbol were rewritten. */
  readonly #rewritten = new Map<Ticker, number>()

  constructor(options: ParquetFilesOptions) {
    this.#options = options
  }

  get folder(): string {
    return this.#options.folder
  }

  /** The file of a table, which may be without rows. Rejects if the database cannot write it. */
  file(request: ParquetRequest): Promise<ParquetFile> {
    const name = nameOf(request)
    const held = this.#files.get(name)
    if (held !== undefined) {
      this.#files.delete(name)
      this.#files.set(name, held)
      return Promise.resolve(held)
    }
    const underway = this.#underway.get(name)
    if (underway !== undefined) return underway
    const made = this.#free.then(() => this.#make(request, name)).finally(() => this.#underway.delete(name))
    this.#underway.set(name, made)
    this.#free = made.catch(() => {})
    return made
  }

  /** Drops the files of a symbol, because what they were made from was rewritten. */
  forget(symbol: Ticker): void {
    this.#rewritten.set(symbol, (this.#rewritten.get(symbol) ?? 0) + 1)
    for (const [name, file] of this.#files) if (file.symbol === symbol) this.#remove(name)
  }

  /** Removes all files, since the archive may change while nobody watches it. */
  async close(): Promise<void> {
    await this.#free
    if (this.#isEmptied) await rm(this.#options.folder, { recursive: true, force: true })
  }

  async #make(request: ParquetRequest, name: string): Promise<ParquetFile> {
    const { symbol, session, table } = request
    const rewritten = this.#rewritten.get(symbol)
    const { folder, store, fields } = this.#options
    if (!this.#isEmptied) await rm(folder, { recursive: true, force: true })
    this.#isEmptied = true
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, name)
    const part = `${path}.part`
    await rm(part, { force: true })
    const [from, to] = [instantOfEastern(session, 0), instantOfEastern(addDays(session, 1), 0)]
    const format = 'parquet'
    try {
      if (table === 'quotes') await store.exportQuotes({ symbol, from, to, format }, part)
      else if (table === 'prints') await store.exportPrints({ symbol, from: session, to: session, format }, part)
      else await store.exportFigures({ symbol, from, to: to - 1, fields, format }, part)
      await rename(part, path)
    } finally {
      await rm(part, { force: true })
    }
    if (this.#rewritten.get(symbol) !== rewritten) return this.#make(request, name)
    const { size: bytes } = await stat(path)
    const file = { name, bytes, symbol }
    this.#files.set(name, file)
    this.#keepWithin(name)
    return file
  }

  #keepWithin(newest: string): void {
    let bytes = [...this.#files.values()].reduce((sum, file) => sum + file.bytes, 0)
    for (const [name, file] of this.#files) {
      if (bytes <= this.#options.maxBytes || name === newest) return
      bytes -= file.bytes
      this.#remove(name)
    }
  }

  #remove(name: string): void {
    this.#files.delete(name)
    void rm(join(this.#options.folder, name), { force: true })
  }
}

/** A file name without characters that mean something in a path; a symbol may have a dot or a slash. */
const nameOf = ({ symbol, session, table }: ParquetRequest) =>
  `${createHash('sha256').update(symbol).digest('hex').slice(0, 16)}-${session}-${table}.parquet`
