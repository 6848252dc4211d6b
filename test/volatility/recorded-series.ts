import { existsSync, readFileSync } from 'node:fs'
import { test } from 'vitest'

const FOLDER = new URL('../../../shared/data/reference/', import.meta.url)

/** A test on recorded files; skipped, with the reason in its name, where they are not at hand. */
export function testWithFiles(files: readonly string[], name: string, body: (...texts: string[]) => void): void {
  const missing = files.find((file) => !existsSync(new URL(file, FOLDER)))
  if (missing !== undefined) test.skip(`${name} (skipped: ../shared/data/reference/${missing} is not here)`, () => {})
  else test(name, () => body(...files.map((file) => readFileSync(new URL(file, FOLDER), 'utf8'))))
}

/** The numbers of a comma-separated file with a heading, row by row. */
export function rowsOf(text: string): readonly (readonly number[])[] {
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number))
}

/** One column of such a file. */
export function columnOf(text: string, at: number): Float64Array {
  return Float64Array.from(rowsOf(text), (row) => row[at])
}
