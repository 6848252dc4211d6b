import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createDataFolder } from '../../accounts/data-folder.ts'
import { lockFolder } from '../../accounts/folder-lock.ts'
import { DatabaseError } from '../../accounts/storage-error.ts'
import { type BackupManifest, readManifest } from './backup-manifest.ts'
import { copyFile, digestOf } from './copy-folder.ts'

export interface Restored {
  readonly manifest: BackupManifest
  /** Folder with what the data folder held before; undefined if it was empty. */
  readonly replaced: string | undefined
}

const RESTORING = 'restoring.part'

/**
 * Puts the files of a backup into a data folder. What it held is moved into a folder inside it, not deleted. Throws, and
 * leaves the data folder as it is, if the backup is not whole or a service uses the folder.
 */
export async function restore(backup: string, data: string, now: () => Date): Promise<Restored> {
  const manifest = readManifest(backup)
  for (const { path, bytes, sha256 } of manifest.files) {
    const found = await digestOf(join(backup, path)).catch(() => undefined)
    if (found?.bytes === bytes && found.sha256 === sha256) continue
    const what = found === undefined ? 'is missing' : 'is not what was saved'
    throw new DatabaseError(`the backup is damaged: ${path} ${what}; nothing was restored`)
  }
  createDataFolder(data)
  const lock = lockFolder(data)
  if (lock === undefined) throw new DatabaseError(`a service uses ${data}: stop it before you restore`)
  try {
    const fresh = join(data, RESTORING)
    rmSync(fresh, { recursive: true, force: true })
    for (const { path } of manifest.files) {
      await mkdir(dirname(join(fresh, path)), { recursive: true, mode: 0o700 })
      await copyFile(join(backup, path), join(fresh, path))
    }
    const replaced = setAside(data, now())
    for (const name of readdirSync(fresh)) renameSync(join(fresh, name), join(data, name))
    rmSync(fresh, { recursive: true })
    return { manifest, replaced }
  } finally {
    lock.release()
  }
}

/** Moves what a data folder holds into a folder inside it, whose path it returns. */
function setAside(data: string, now: Date): string | undefined {
  const held = readdirSync(data).filter((name) => !/^(service\.lock.*|replaced-.*|restoring\.part)$/.test(name))
  if (held.length === 0) return undefined
  const aside = join(data, `replaced-${now.toISOString().replaceAll(':', '-')}`)
  mkdirSync(aside, { mode: 0o700 })
  for (const name of held) renameSync(join(data, name), join(aside, name))
  return aside
}
