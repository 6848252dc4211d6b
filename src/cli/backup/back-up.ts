import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { copyDatabase } from '../../accounts/copy-database.ts'
import { DatabaseError } from '../../accounts/storage-error.ts'
import { packageVersion } from '../../config/package.ts'
import { type BackupManifest, MANIFEST } from './backup-manifest.ts'
import { copyFolder, digestOf } from './copy-folder.ts'

/** Files of the running service, the accounts (which are copied by SQLite), caches, and what is not finished. */
const leftOut =
  /^(service\.(json|lock).*|storage-check|accounts\.(db.*|revision\.json.*)|history-images.*|parquet.*|replaced-.*|damaged-.*|.*\.part)$|\/(tmp|delete_tmp)[^/]*$|^history[^/]*\/parts\.json/

/**
 * Copies a data folder to a new folder, also while a service uses it, and returns what the copy holds. The copy has its
 * name only once it is whole. Throws if the target exists or lies in the data folder.
 */
export async function backUp(data: string, target: string, now: () => Date): Promise<BackupManifest> {
  const [from, to] = [resolve(data), resolve(target)]
  if (to === from || to.startsWith(from + sep)) throw new DatabaseError('a backup cannot lie in the data folder itself')
  if (existsSync(to) && readdirSync(to).length > 0) throw new DatabaseError(`${to} exists already: name a new folder`)
  if (!existsSync(join(from, 'accounts.db'))) {
    throw new DatabaseError(`${from} holds no accounts: name the data folder with --data`)
  }
  const part = `${to}.part`
  await rm(part, { recursive: true, force: true })
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await mkdir(part, { mode: 0o700 })
  try {
    // The archive first: accounts that are newer than it miss nothing.
    const files = await copyFolder({ from, to: part, wanted: (path) => !leftOut.test(path) })
    const { users, keys, alerts } = copyDatabase(from, join(part, 'accounts.db'))
    files.push({ path: 'accounts.db', ...(await digestOf(join(part, 'accounts.db'))) })
    const manifest = { version: packageVersion(), made_at: now().toISOString(), users, keys, alerts, files }
    await writeFile(join(part, MANIFEST), `${JSON.stringify(manifest, undefined, 1)}\n`, { mode: 0o600, flush: true })
    await rm(to, { recursive: true, force: true })
    await rename(part, to)
    return manifest
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  }
}
