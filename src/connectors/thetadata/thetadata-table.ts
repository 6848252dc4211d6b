import { parseEasternDateTime } from '../../market/eastern.ts'
import { type Instant, type IsoDate, parseIsoDate } from '../../market/units.ts'
import { fieldReader } from '../port/http/vendor-fields.ts'

export const { malformed: malformedThetaData } = fieldReader('ThetaData')

/** A line of a CSV response. Reading a field of the wrong type throws an error that names the field. */
export interface ThetaDataRow {
  text(name: string): string
  number(name: string): number
  date(name: string): IsoDate
  /** Reads a New York wall-clock time; the vendor's texts name no zone. */
  time(name: string): Instant
}

const NUMBER = /^-?\d+(\.\d+)?$/

/**
 * Reads a CSV response with a heading. Every documented field must be present, in any order; other fields are ignored.
 * Every line must end with a newline, so that a truncated response is noticed: `8066` cut to `80` would be another
 * number.
 */
export function* readThetaDataTable(bytes: Uint8Array, documented: readonly string[]): Generator<ThetaDataRow> {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').split('\n')
  if (lines.pop() !== '') throw malformedThetaData('it is no table, or not all of it: its last line is not ended')
  const names = cellsOf(lines[0] ?? '')
  const places = new Map(names.map((name, place) => [name, place]))
  const absent = documented.find((name) => !places.has(name))
  if (absent !== undefined) throw malformedThetaData(`the field ${absent} is missing in its first line`)
  for (let at = 1; at < lines.length; at++) {
    const cells = cellsOf(lines[at])
    if (cells.length === 1 && cells[0] === '') continue
    if (cells.length !== names.length) {
      const found = cells.length < names.length ? `the field ${names[cells.length]} is missing` : 'a field is too many'
      throw malformedThetaData(`${found} in line ${at + 1}`)
    }
    yield new TableRow(places, cells)
  }
}

class TableRow implements ThetaDataRow {
  readonly #places: ReadonlyMap<string, number>
  readonly #cells: readonly string[]

  constructor(places: ReadonlyMap<string, number>, cells: readonly string[]) {
    this.#places = places
    this.#cells = cells
  }

  text(name: string): string {
    const text = this.#cells[this.#places.get(name)!]
    if (text === '') throw malformedThetaData(`the field ${name} is empty`)
    return text
  }

  number(name: string): number {
    const text = this.text(name)
    if (!NUMBER.test(text)) throw malformedThetaData(`the field ${name} is no number`)
    return Number(text)
  }

  date(name: string): IsoDate {
    const date = parseIsoDate(this.text(name))
    if (date === undefined) throw malformedThetaData(`the field ${name} is no date`)
    return date
  }

  time(name: string): Instant {
    const time = parseEasternDateTime(this.text(name))
    if (time === undefined) throw malformedThetaData(`the field ${name} is no time of New York`)
    return time
  }
}

function cellsOf(line: string): readonly string[] {
  return (line.endsWith('\r') ? line.slice(0, -1) : line).split(',')
}
