import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rowsOf } from '../codec/native-rows.ts'
import type { DatabaseConnection } from './database-connection.ts'

// The engine does not notice when the folder of a part is gone. So the parts in use are listed in a file, and compared
// when the archive is opened again. A part is named by its partition and the first and last block of rows in it; a merge
// makes a part with the blocks of several.

export interface PartName {
  readonly table: string
  readonly part: string
}

const FILE = 'parts.json'
const partName = /^(.+)_(\d+)_(\d+)_\d+(?:_\d+)?$/

/** Lists the parts that have rows in a file, if the disk takes it. */
export async function keepPartList(connection: Pick<DatabaseConnection, 'read'>, folder: string): Promise<void> {
  const parts = await partsInUse(connection, 'rows > 0')
  const file = join(folder, FILE)
  try {
    writeFileSync(`${file}.part`, `${JSON.stringify(parts)}\n`, { mode: 0o600 })
    renameSync(`${file}.part`, file)
  } catch {
    // An older list raises no false alarm: its parts are covered by those that came after them.
  }
}

/** Parts that were in use when the list was written and are not there any more, damaged or not. */
export async function partsGone(
  connection: Pick<DatabaseConnection, 'read'>,
  folder: string
): Promise<readonly PartName[]> {
  const listed = readList(join(folder, FILE))
  if (listed.length === 0) return []
  const there = [...(await partsInUse(connection, '1')), ...(await partsDetached(connection))]
  const covers = ({ table, part }: PartName) => {
    const [, partition, first, last] = partName.exec(part) ?? []
    return ({ table: other, part: name }: PartName) => {
      const [, otherPartition, from, to] = partName.exec(name) ?? []
      return (
        other === table && otherPartition === partition && Number(from) <= Number(first) && Number(to) >= Number(last)
      )
    }
  }
  return listed.filter((gone) => partName.test(gone.part) && !there.some(covers(gone)))
}

async function partsInUse(connection: Pick<DatabaseConnection, 'read'>, where: string): Promise<readonly PartName[]> {
  const found = rowsOf(
    await connection.read(`SELECT table, name FROM system.parts
WHERE active AND database = currentDatabase() AND ${where} ORDER BY table, name`)
  )
  return found.map(({ table, name }) => ({ table: table as string, part: name as string }))
}

async function partsDetached(connection: Pick<DatabaseConnection, 'read'>): Promise<readonly PartName[]> {
  const found = rowsOf(
    await connection.read('SELECT table, name FROM system.detached_parts WHERE database = currentDatabase()')
  )
  return found.map(({ table, name }) => ({ table: table as string, part: (name as string).replace(/^\D+_/, '') }))
}

function readList(file: string): readonly PartName[] {
  try {
    const parts = JSON.parse(readFileSync(file, 'utf8')) as readonly PartName[]
    return Array.isArray(parts) ? parts : []
  } catch {
    return [] // it is not there, or was cut
  }
}
