import type { IsoDate, Ticker } from '../../market/units.ts'
import type { FoundFile } from '../import-files.ts'
import { type ImportWriter, reasonOf } from '../import-writer.ts'
import { type LeanName, parseLeanName } from './lean-names.ts'
import { firstNameIn, openZip, type Zip } from './zip.ts'

/** Zips with the data of one underlying and day, both for options and for the stock. */
export interface DayOfFiles {
  readonly symbol: Ticker
  readonly date: IsoDate
  readonly files: readonly FoundFile[]
}

export interface LeanZip {
  readonly path: string
  readonly zip: Zip
  readonly names: ReadonlyMap<Zip['entries'][number], LeanName>
}

export function bytesOfDay({ files }: DayOfFiles): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}

/** Groups zips by day and underlying, ascending by date. Both are read from the names of the files inside. */
export async function daysIn(files: readonly FoundFile[], writer: ImportWriter): Promise<readonly DayOfFiles[]> {
  const days = new Map<string, DayOfFiles & { readonly files: FoundFile[] }>()
  for (const file of files) {
    const name = await firstNameIn(file.path).catch((error) => {
      writer.reject(file.path, undefined, `it cannot be opened: ${reasonOf(error)}`)
    })
    if (name === undefined) continue
    const named = parseLeanName(name)
    if (named === undefined) {
      writer.reject(file.path, undefined, `it holds ${name}, which is not called as LEAN calls its minute files`)
      continue
    }
    const key = `${named.date} ${named.symbol}`
    const day = days.get(key)
    if (day === undefined) days.set(key, { symbol: named.symbol, date: named.date, files: [file] })
    else day.files.push(file)
  }
  return [...days.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day)
}

/**
 * Opens a zip and parses the names of its files. Files of another day or underlying are reported and skipped. So are
 * files whose names are in `seen`, because a file that is in two zips must count once.
 */
export async function openLeanZip(
  path: string,
  { symbol, date }: Pick<DayOfFiles, 'symbol' | 'date'>,
  seen: Set<string>,
  writer: ImportWriter
): Promise<LeanZip | undefined> {
  try {
    const zip = await openZip(path)
    const names = new Map<Zip['entries'][number], LeanName>()
    let again = 0
    for (const entry of zip.entries) {
      const { fileName } = entry
      const name = parseLeanName(fileName)
      if (name === undefined) writer.reject(`${path}/${fileName}`, undefined, 'its name is not one of LEAN')
      else if (name.symbol !== symbol || name.date !== date) {
        writer.reject(`${path}/${fileName}`, undefined, `it is not of ${symbol} on ${date}, as the zip is`)
      } else if (seen.has(fileName)) again++
      else {
        seen.add(fileName)
        names.set(entry, name)
      }
    }
    if (again > 0) writer.reject(path, undefined, `${again} of its files were read before: each counts once`)
    return { path, zip, names }
  } catch (error) {
    writer.reject(path, undefined, `it cannot be opened: ${reasonOf(error)}`)
    return undefined
  }
}
