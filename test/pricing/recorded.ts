import { existsSync, readFileSync } from 'node:fs'
import { test } from 'vitest'

const FOLDER = new URL('../../../shared/data/reference/', import.meta.url)

/** A test on recorded figures of other libraries; skipped, with the reason in its name, where they are not at hand. */
export function testRecorded<Recording>(file: string, name: string, body: (recording: Recording) => void): void {
  const path = new URL(file, FOLDER)
  if (existsSync(path)) test(name, () => body(parse(readFileSync(path, 'utf8')) as Recording))
  else test.skip(`${name} (skipped: ../shared/data/reference/${file} is not here)`, () => {})
}

/** Python writes NaN, which JSON does not know; it reads as null here. */
function parse(text: string): unknown {
  return JSON.parse(text.replaceAll(/\bNaN\b/g, 'null'))
}
