import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { accountsDamage } from '../../accounts/check-accounts.ts'
import { lockFolder } from '../../accounts/folder-lock.ts'
import { DatabaseError } from '../../accounts/storage-error.ts'
import { type ArchiveDamage, checkArchive, type DamagedPart } from '../../archive/archive-check.ts'
import { archiveFolders } from '../../archive/archive-folder.ts'
import { repairArchive } from '../../archive/archive-repair.ts'
import { isEngineInstalled } from '../../archive/clickhouse/embedded.ts'
import { holdsArchive } from '../../archive/folder-check.ts'
import type { Damage } from '../../archive/history-error.ts'
import { lostText, type SymbolDay } from '../../archive/lost-days.ts'
import { enginePath } from '../../archive/open.ts'
import { damagedSessionFiles } from '../../archive/session-files/session-file-check.ts'
import { RENAMES, readRenames } from '../../config/stated-renames.ts'

/** What is damaged in a data folder. Paths are below that folder. */
export interface DataDamage {
  /** What cannot be set aside, because the service cannot do without it. */
  readonly accounts: readonly Damage[]
  /** Files that can be set aside without loss. */
  readonly spare: readonly Damage[]
  readonly archives: readonly (ArchiveDamage & { readonly folder: string })[]
}

/** Files of JSON in a data folder, and what to do when one is damaged. */
const texts: Readonly<Record<string, string>> = {
  'demo-keys.json': 'remove it, or restore a backup',
  'brand.json': 'mend it, or restore a backup',
  'plans.json': 'mend it, or restore a backup',
  'presets.json': 'mend it, or restore a backup'
}
const REVISION = 'accounts.revision.json'

/** Runs `work` while no service can use the data folder. Throws if one does. */
export async function alone<Result>(data: string, what: string, work: () => Promise<Result>): Promise<Result> {
  if (!existsSync(data)) throw new DatabaseError(`there is no folder ${data}: name the data folder with --data`)
  const lock = lockFolder(data)
  if (lock === undefined) {
    throw new DatabaseError(
      `a service uses ${data}: stop it before you ${what}; its /health names damage that it has met`
    )
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}

/** Reads every file of a data folder that carries data, and checks it. */
export async function checkData(data: string): Promise<DataDamage> {
  const archives: (ArchiveDamage & { readonly folder: string })[] = []
  const spare: Damage[] = []
  for (const folder of archiveFolders) {
    spare.push(...damagedSessionFiles(join(data, `${folder}-images`)).map((each) => below(`${folder}-images`, each)))
    if (!holdsArchive(join(data, folder))) continue
    if (!isEngineInstalled(enginePath)) {
      throw new DatabaseError('the engine that keeps history is not installed: start the service once with a network')
    }
    archives.push({ folder, ...(await checkArchive(join(data, folder), enginePath)) })
  }
  const accounts = accountsDamage(data).map((reason) => ({ path: 'accounts.db', reason }))
  for (const [path, advice] of Object.entries(texts)) {
    if (isBroken(join(data, path))) accounts.push({ path, reason: `it is no JSON: ${advice}` })
  }
  accounts.push(...faultyRenames(data))
  if (isBroken(join(data, REVISION))) spare.push({ path: REVISION, reason: 'it is no JSON' })
  return { accounts, spare, archives }
}

function faultyRenames(data: string): readonly Damage[] {
  const faults: string[] = []
  readRenames(data, faults)
  const place = `${join(data, RENAMES)}: `
  return faults.map((fault) => {
    return { path: RENAMES, reason: `${fault.replace(place, '')}; mend it, or restore a backup` }
  })
}

/** One line for each thing that is damaged. */
export function damageLines({ accounts, spare, archives }: DataDamage): readonly string[] {
  const line = ({ path, reason }: Damage, more = '') => `${path}: ${reason}${more}`
  return [
    ...accounts.map((damage) => line(damage, damage.path === 'accounts.db' ? '; restore a backup of it' : '')),
    ...spare.map((damage) => line(damage, '; nothing is lost without it')),
    ...archives.flatMap(({ folder, files, tables, parts, unopened }) => [
      ...files.map((damage) => line(below(folder, damage))),
      ...tables.map((table) => `${folder}: the description of the table ${table} is missing`),
      ...parts.map((part) => line(below(folder, part), `; ${inTable(part)}`)),
      ...(unopened === undefined ? [] : [`${folder}: ${unopened}`])
    ])
  ]
}

/**
 * Moves what is damaged into the folder `aside` and makes the archives answer again. Returns a line for each thing that
 * was done.
 */
export async function repairData(data: string, { spare, archives }: DataDamage, aside: string): Promise<string[]> {
  const done: string[] = []
  for (const { path } of spare) {
    mkdirSync(dirname(join(aside, path)), { recursive: true, mode: 0o700 })
    renameSync(join(data, path), join(aside, path))
    done.push(`${path} is now in ${join(aside, path)}; nothing is lost`)
  }
  for (const { folder, ...damage } of archives) {
    const options = { engine: enginePath, aside: join(aside, folder) }
    for (const { path, to, lost } of await repairArchive(join(data, folder), damage, options)) {
      const place = to === undefined ? 'was gone already' : `is now in ${to}`
      done.push(`${join(folder, path)} ${place}; ${lostLine(lost)}`)
    }
  }
  return done
}

const lostLine = (lost: readonly SymbolDay[]) => (lost.length === 0 ? 'nothing is lost' : `lost: ${lostText(lost)}`)
const inTable = ({ table, holds }: DamagedPart) => `of ${table}, with ${lostText(holds)}`
const below = (folder: string, { path, reason }: Damage): Damage => ({ path: join(folder, path), reason })

function isBroken(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    JSON.parse(readFileSync(path, 'utf8'))
    return false
  } catch {
    return true
  }
}
