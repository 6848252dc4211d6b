import type { VendorFieldReader } from './vendor-fields.ts'

export type CsvRow = Readonly<Record<string, string>>

/**
 * Parses a small CSV table with a heading. Throws the error that `malformed` builds if one of the `needed` columns is
 * missing, or a row has more or fewer cells than the heading.
 */
export function csvRows(
  bytes: Uint8Array,
  needed: readonly string[],
  malformed: VendorFieldReader['malformed']
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

function cellsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, plain]) => (quoted ?? plain).trim())
}
