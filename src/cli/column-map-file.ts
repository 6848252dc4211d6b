import { readFileSync } from 'node:fs'

/** The text of a column map: what was typed, or the file that it names. */
export function columnMapFrom(typed: string): string {
  return /\.json$/i.test(typed) ? readFileSync(typed, 'utf8') : typed
}
