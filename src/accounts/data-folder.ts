import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
  unlinkSync,
  writeFileSync
} from 'node:fs'
import { unlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DatabaseError, StorageError, storageReason } from './storage-error.ts'

/** Bytes that the next write of the accounts database needs; a disk with less free space counts as full. */
const ROOM = 16_384

/** Creates the data folder if it does not exist, readable by its owner only. */
export function createDataFolder(folder: string): void {
  try {
    createFolder(resolve(folder))
  } catch (error) {
    throw unwritable(folder, error)
  }
}

/**
 * Creates an empty file in the data folder if it does not exist, readable by its owner only. One that exists is not
 * opened: to close a file takes away the locks that SQLite holds on it in this process.
 */
export function createPrivateFile(folder: string, path: string): void {
  createDataFolder(folder)
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
    else if (statSync(path).isFile()) accessSync(path, constants.W_OK)
    else throw new DatabaseError(`${path} cannot be written, because it is no file: choose another folder with --data`)
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    if (codeOf(error) !== 'EEXIST') throw unwritable(folder, error)
  }
}

/** Throws if the data folder has no room or cannot be written to. */
export function requireRoom(folder: string): void {
  const path = trialFile(folder)
  try {
    writeFileSync(path, Buffer.alloc(ROOM), { mode: 0o600 })
  } catch (error) {
    throw unwritable(folder, error)
  } finally {
    removeQuietly(path)
  }
}

/**
 * Why the data folder cannot be written to, if its disk is full or read-only; undefined if it can. Throws if it cannot
 * for another reason, or if there are no accounts yet.
 */
export function lackOfRoom(folder: string): string | undefined {
  try {
    requireRoom(folder)
    return undefined
  } catch (error) {
    const reason = diskReason(error)
    if (reason === undefined || !existsSync(join(folder, 'accounts.db'))) throw error
    return reason
  }
}

export function isOnReadOnlyDisk(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    return codeOf(error) === 'EROFS'
  }
}

/** Why a disk refuses writes for the time being; undefined for any other error. */
export function diskReason(error: unknown): string | undefined {
  const cause = error instanceof DatabaseError ? error.cause : error
  return ofTheDisk.has(String(codeOf(cause))) ? storageReason(cause) : undefined
}

const ofTheDisk: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** Why the data folder cannot be written to; undefined if it can. Like `requireRoom`, without blocking the thread. */
export async function findRoom(folder: string): Promise<string | undefined> {
  const path = trialFile(folder)
  try {
    await writeFile(path, Buffer.alloc(ROOM), { mode: 0o600 })
    return undefined
  } catch (error) {
    return storageReason(error) ?? `its files cannot be written (${codeOf(error)})`
  } finally {
    await unlink(path).catch(() => {}) // the file was never created, or its disk has become read-only
  }
}

const trialFile = (folder: string) => join(folder, 'storage-check')

function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // The file was never created.
  }
}

function unwritable(folder: string, error: unknown): DatabaseError {
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StorageError(`the data folder ${folder}`, storageReason(error)!, error)
  const message = `the data folder ${folder} cannot be written (${code}): choose another one with --data`
  return new DatabaseError(message, { cause: error })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : error
}

/**
 * Creates folders level by level, because the recursive mkdirSync never returns on file systems that accept no folders
 * (/proc).
 */
function createFolder(path: string): void {
  if (existsSync(path)) return
  createFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}
