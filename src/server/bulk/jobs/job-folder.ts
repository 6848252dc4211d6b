import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BulkGroup } from '../bulk-groups.ts'
import { isJobId, type JobRecord, readRecord } from './job-record.ts'

/** The files of all jobs: a folder for each with its record, its groups and its parts. */
export class JobFolder {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Reads the records of all jobs. Removes folders of jobs that were never written whole. */
  records(): readonly JobRecord[] {
    if (!existsSync(this.#root)) return []
    const ids = readdirSync(this.#root).filter(isJobId)
    return ids.flatMap((id) => {
      const record = readRecord(textIn(join(this.#root, id, 'job.json')))
      if (record?.id === id) return [record]
      rmSync(join(this.#root, id), { recursive: true, force: true })
      return []
    })
  }

  /** Writes a new job. Nothing is left of it if that fails. */
  async create(record: JobRecord, groups: readonly BulkGroup[]): Promise<void> {
    const folder = join(this.#root, record.id)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeSafely(folder, 'groups.json', JSON.stringify(bySymbol(groups)))
      await this.save(record)
      await syncFolder(this.#root)
    } catch (error) {
      await rm(folder, { recursive: true, force: true }).catch(() => {})
      throw error
    }
  }

  save(record: JobRecord): Promise<void> {
    return writeSafely(join(this.#root, record.id), 'job.json', JSON.stringify(record))
  }

  async groups({ id }: JobRecord): Promise<readonly BulkGroup[]> {
    const listed: ReturnType<typeof bySymbol> = JSON.parse(await readFile(join(this.#root, id, 'groups.json'), 'utf8'))
    return listed.flatMap(([symbol, times]) => times.map((time) => groupAt(symbol, time)))
  }

  /** Path of a part, counted from 1. */
  partPath({ id, format }: JobRecord, part: number): string {
    return join(this.#root, id, `part-${String(part).padStart(5, '0')}.${format}`)
  }

  removePart(record: JobRecord, part: number): Promise<void> {
    return rm(this.partPath(record, part), { force: true })
  }

  async removeParts({ id }: JobRecord): Promise<void> {
    const folder = join(this.#root, id)
    for (const name of await readdir(folder)) if (name.startsWith('part-')) await rm(join(folder, name))
  }

  remove({ id }: JobRecord): Promise<void> {
    return rm(join(this.#root, id), { recursive: true, force: true })
  }
}

/** A moment, null for now, or the first and last moment of a stretch and its most rows. */
type GroupTime = number | null | readonly [from: number, to: number, rows: number]

/** Groups in their order, as the times of one symbol after the other. */
function bySymbol(groups: readonly BulkGroup[]): [symbol: string, times: GroupTime[]][] {
  const listed: [string, GroupTime[]][] = []
  for (const { symbol, at = null, stretch } of groups) {
    const time: GroupTime = stretch === undefined ? at : [at!, stretch.to, stretch.rows]
    const last = listed.at(-1)
    if (last?.[0] === symbol) last[1].push(time)
    else listed.push([symbol, [time]])
  }
  return listed
}

function groupAt(symbol: string, time: GroupTime): BulkGroup {
  if (typeof time !== 'object' || time === null) return { symbol, at: time ?? undefined }
  const [at, to, rows] = time
  return { symbol, at, stretch: { to, rows } }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Replaces a file so that after a sudden stop it is there whole, as it was or as it is now. */
async function writeSafely(folder: string, name: string, text: string): Promise<void> {
  const fresh = join(folder, `${name}.fresh`)
  const file = await open(fresh, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(fresh, join(folder, name))
  await syncFolder(folder)
}

/** Makes the names in a folder outlast a sudden stop. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
