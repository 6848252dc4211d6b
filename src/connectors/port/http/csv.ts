import type { FieldReader } from './vendor-fields.ts'

/** A row of a table by the names of its columns. */
export type CsvRow = Readonly<Record<string, string>>

/**
 * The rows of a small table with a heading. Every one of the `needed` columns has to be there, whatever others are, and
 * every row has to have as many cells as the heading: `malformed` makes the error of a table that has not.
 */
export function csvRows(
  bytes: Uint8Array,
  needed: readonly string[],
  malformed: FieldReader['malformed']
): readonly CsvRow[] {
  const [heading = '', ...lines] = new TextDecoder()
    .decode(bytes)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
  const names = cellsOf(heading)
  const missing = needed.find((name) => !names.includes(name))
  if (missing !== undefined) throw malformed(`the column ${missing} is missing`)
  return lines
    .filter((line) => line !== '')
    .map((line, at) => {
      const cells = cellsOf(line)
      if (cells.length !== names.length) {
        throw malformed(`row ${at + 1} has ${cells.length} of its ${names.length} columns`)
      }
      return Object.fromEntries(names.map((name, k) => [name, cells[k]]))
    })
}

/** The cells of a line. Quotes around one are no part of it; none of these tables has a quote in a cell. */
function cellsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => (quoted ?? plain).trim())
}
