import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DailyBar } from '../../../src/market/bar.ts'
import type { Mutation } from '../../support/mutations.ts'

const folder = resolve(import.meta.dirname, '../../../../shared/data/vendor-samples')
export const hasSamples = existsSync(folder)
if (!hasSamples) console.log('skipped: samples of references lie in ../shared/data, which is not there')

export const sample = (name: string) => (hasSamples ? readFileSync(resolve(folder, name)) : Buffer.from('{}'))

/** Values by day. */
export const valuesOf = (bars: readonly DailyBar[]) => bars.map(({ date, close }) => [date, close])

/** A table with one column dropped or renamed, and with one cell that is no figure. */
export function* csvMutations(text: string): Generator<Mutation> {
  const [heading, ...rows] = text.trimEnd().split('\n')
  const names = heading.replaceAll('"', '').split(',')
  const cells = rows.map((row) => row.split(','))
  const written = (columns: readonly string[], body: readonly (readonly string[])[]) =>
    [columns, ...body].map((row) => row.join(',')).join('\n')
  for (const [at, field] of names.entries()) {
    const without = (row: readonly string[]) => row.toSpliced(at, 1)
    yield { label: `${field} dropped`, field, text: written(without(names), cells.map(without)) }
    yield { label: `${field} renamed`, field, text: written(names.with(at, `${field}_2`), cells) }
    for (const [row, found] of cells.entries()) {
      const text = written(names, cells.with(row, found.with(at, 'none')))
      yield { label: `${field} as none in row ${row}`, field, text }
    }
  }
  for (const row of cells.keys()) {
    yield { label: `row ${row} cut off`, field: 'row', text: written(names, cells.with(row, cells[row].slice(0, -1))) }
  }
}
