import { open } from 'node:fs/promises'
import { textLiteral } from './database-connection.ts'

type ReadRows = (query: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/**
 * Query that writes a table in Parquet or Arrow as CSV, or the lines of a text compressed by zstd as they are. A moment gets its zone
 * where the type of its column states one, so that it is not read as a time of New York.
 */
export async function tableTextQuery(path: string, rowsIn: ReadRows): Promise<string> {
  const table = textLiteral(path)
  if (/\.zst$/i.test(path)) return `TSVRaw) SELECT * FROM file(${table}, LineAsString, 'line String', 'zstd')`
  const isArrow = /\.(arrow|feather)$/i.test(path)
  const format = isArrow ? 'Arrow' : 'Parquet'
  const zones = isArrow ? await zonesOfArrow(table, rowsIn) : await zonesOfParquet(path, rowsIn)
  const moments = [...zones].map(([name, zone]) => {
    const column = `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``
    const local = `toTimeZone(${column}, ${textLiteral(zone)})`
    return `concat(toString(${local}), formatDateTime(${local}, '%z')) AS ${column}`
  })
  const replaced = moments.length === 0 ? '' : ` REPLACE (${moments.join(', ')})`
  return `CSVWithNames) SELECT *${replaced} FROM file(${table}, ${format})`
}

/** Zones of the columns of moments of an Arrow file: the engine's types state them. */
async function zonesOfArrow(table: string, rowsIn: ReadRows): Promise<ReadonlyMap<string, string>> {
  const columns = await rowsIn(`DESCRIBE TABLE file(${table}, Arrow)`)
  return new Map(
    columns.flatMap(({ name, type }) => {
      const zone = /DateTime(?:64)?\((?:\d, )?'([^']+)'\)/.exec(String(type))?.[1]
      return zone === undefined ? [] : [[String(name), zone] as const]
    })
  )
}

/**
 * Zones of the columns of moments of a Parquet file. The type says only that a moment is one; the zone in which it was
 * written is in the metadata of pandas, otherwise it is UTC. Types of the first version of the format, which do not say
 * it, count as without a zone.
 */
async function zonesOfParquet(path: string, rowsIn: ReadRows): Promise<ReadonlyMap<string, string>> {
  const columns = await rowsIn(
    `SELECT c.1 AS name, c.2 AS type FROM (SELECT arrayJoin(arrayZip(columns.name, columns.logical_type)) AS c
     FROM file(${textLiteral(path)}, ParquetMetadata))`
  )
  const aware = columns.filter(
    ({ type }) => /isAdjustedToUTC=true/.test(String(type)) && !/is_from_converted_type=true/.test(String(type))
  )
  if (aware.length === 0) return new Map()
  const written = await zonesOfPandas(path)
  return new Map(aware.map(({ name }) => [String(name), written.get(String(name)) ?? 'UTC']))
}

const MAX_FOOTER = 16 * 1024 * 1024

async function zonesOfPandas(path: string): Promise<ReadonlyMap<string, string>> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tail = await file.read(Buffer.alloc(8), 0, 8, size - 8)
    const length = Math.min(tail.buffer.readUInt32LE(0), size - 8, MAX_FOOTER)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - 8 - length)
    const zones = new Map<string, string>()
    const described =
      /\{"name": "([^"]*)", "field_name": "[^"]*", "pandas_type": "datetimetz"[^}]*"timezone": "([^"]+)"/g
    for (const [, name, zone] of buffer.toString('latin1').matchAll(described)) zones.set(name, zone)
    return zones
  } finally {
    await file.close()
  }
}
