import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export interface CopiedFile {
  /** Path below the copied folder, with slashes. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** Copies a file that does not exist yet, readable by its owner only, and returns its length and digest. */
export async function copyFile(from: string, to: string): Promise<Omit<CopiedFile, 'path'>> {
  const { hash, bytes } = await read(from, createWriteStream(to, { mode: 0o600, flags: 'wx' }))
  return { bytes, sha256: hash }
}

export async function digestOf(path: string): Promise<Omit<CopiedFile, 'path'>> {
  const { hash, bytes } = await read(path)
  return { bytes, sha256: hash }
}

async function read(from: string, to?: NodeJS.WritableStream) {
  const hash = createHash('sha256')
  let bytes = 0
  const tally = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      if (to !== undefined) yield chunk
    }
  }
  if (to === undefined) await pipeline(createReadStream(from), tally)
  else await pipeline(createReadStream(from), tally, to)
  return { hash: hash.digest('hex'), bytes }
}

export interface CopyOptions {
  readonly from: string
  readonly to: string
  /** Whether to copy a file or folder, by its path below `from`. */
  readonly wanted: (path: string) => boolean
}

/**
 * Copies a folder while others work in it. A folder that disappears meanwhile is left out, and what came in its place
 * is copied: a ClickHouse archive never changes the files of a finished part, and keeps a merged part for minutes beside
 * the larger one.
 */
export async function copyFolder(options: CopyOptions, below = ''): Promise<CopiedFile[]> {
  const { from, to, wanted } = options
  await mkdir(join(to, below), { recursive: true, mode: 0o700 })
  const copied = new Map<string, readonly CopiedFile[]>()
  for (;;) {
    const entries = await readdir(join(from, below), { withFileTypes: true })
    const fresh = entries.filter(({ name }) => !copied.has(name) && wanted(pathBelow(below, name)))
    if (fresh.length === 0) return [...copied.values()].flat()
    for (const entry of fresh) {
      const path = pathBelow(below, entry.name)
      try {
        if (entry.isDirectory()) copied.set(entry.name, await copyFolder(options, path))
        else if (entry.isFile()) {
          copied.set(entry.name, [{ path, ...(await copyFile(join(from, path), join(to, path))) }])
        } else copied.set(entry.name, [])
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        copied.set(entry.name, [])
        await rm(join(to, path), { recursive: true, force: true })
      }
    }
  }
}

const pathBelow = (below: string, name: string) => (below === '' ? name : `${below}/${name}`)
