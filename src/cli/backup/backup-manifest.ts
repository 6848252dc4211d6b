import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError } from '../../accounts/storage-error.ts'
import type { CopiedFile } from './copy-folder.ts'

/** Contents of a backup, and when and by which version it was made. */
export interface BackupManifest {
  /** Version of gammawall that made it. */
  readonly version: string
  readonly made_at: string
  readonly users: number
  readonly keys: number
  readonly alerts: number
  readonly files: readonly CopiedFile[]
}

export const MANIFEST = 'backup.json'

/** Throws if the folder is no finished backup. */
export function readManifest(folder: string): BackupManifest {
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8')
  } catch {
    throw new DatabaseError(`${folder} is no backup: it has no ${MANIFEST}`)
  }
  try {
    const manifest = JSON.parse(text) as BackupManifest
    if (Array.isArray(manifest.files) && manifest.files.every(({ path }) => isBelow(path))) return manifest
  } catch {
    // the same sentence
  }
  throw new DatabaseError(`${join(folder, MANIFEST)} cannot be read: the backup is not whole`)
}

/** A manifest could name files outside the folder. */
function isBelow(path: unknown): boolean {
  return typeof path === 'string' && path !== '' && !path.startsWith('/') && !path.split('/').includes('..')
}
