import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface FoundFile {
  readonly path: string
  /** Size of the file, bytes. */
  readonly size: number
}

/** Thrown if a path cannot be opened, holds no importable file, or has unusable content. */
export class FilesError extends Error {
  override readonly name = 'FilesError'
}

/**
 * Lists the files at the given paths, each once, in ascending order. A path of a file is taken as it is. Folders are
 * searched recursively for names that match `fitting`.
 */
export async function filesAt(paths: readonly string[], fitting: RegExp): Promise<readonly FoundFile[]> {
  const found = new Map<string, FoundFile>()
  for (const path of paths) {
    const before = found.size
    const { folder, size } = await kindOf(path)
    if (!folder) found.set(path, { path, size })
    else for (const file of await filesBelow(path, fitting)) found.set(file.path, file)
    if (folder && found.size === before) throw new FilesError(`there is no file to import in the folder ${path}`)
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function kindOf(path: string): Promise<{ readonly folder: boolean; readonly size: number }> {
  try {
    const status = await stat(path)
    return { folder: status.isDirectory(), size: status.size }
  } catch (error) {
    throw new FilesError(`${path} cannot be opened: ${error instanceof Error ? error.message : error}`)
  }
}

async function filesBelow(folder: string, fitting: RegExp): Promise<readonly FoundFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && fitting.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(paths.map(async (path) => ({ path, size: (await stat(path)).size })))
}
