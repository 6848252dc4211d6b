import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FilesError } from '../import-files.ts'
import { reasonOf } from '../import-writer.ts'

/** Consecutive rows of one group: their first position among all rows as they are kept, and their number. */
interface Stretch {
  readonly first: number
  readonly count: number
}

/** Rows held in memory by default before they go to the disk: 9 MB for 17 numbers a row, and as much to sort them. */
const HELD_ROWS = 65_536
/** A group with more rows than this in memory is searched for repeated ones before they go to the disk. */
const MANY_ROWS = 32_768

export interface GroupedRowsOptions {
  /** Numbers in a row. */
  readonly width: number
  /** First number of a row that belongs to its content; the numbers before it say where the row comes from. */
  readonly content: number
  /** Rows held in memory before they go to a temporary file. */
  readonly held?: number | undefined
}

/**
 * Rows of numbers, added in any order and read back by group. A bounded number is held in memory; the rest lies in a
 * temporary file, in stretches of one group each. The folder is that of the operating system for temporary files.
 */
export class GroupedRows {
  readonly width: number
  readonly #content: number
  readonly #held: number
  #rows: Float64Array
  #groups: Int32Array
  #count = 0
  /** Rows in the temporary file. */
  #filed = 0
  /** Rows that lie in memory, sorted by group; they follow those of the file. */
  #sorted: Float64Array = new Float64Array(0)
  /** Memory of sorted rows, which those sorted next use again once these are in the file. */
  #room: Float64Array = new Float64Array(0)
  #stretches = new Map<number, Stretch[]>()
  #folder: string | undefined
  #file = -1

  constructor({ width, content, held = HELD_ROWS }: GroupedRowsOptions) {
    this.width = width
    this.#content = content
    this.#held = held
    const first = Math.min(held, 4096)
    this.#rows = new Float64Array(first * width)
    this.#groups = new Int32Array(first)
  }

  /** Number of rows that lie in the temporary file. */
  get filed(): number {
    return this.#filed
  }

  /** Adds a row to a group. Throws a `FilesError` if the disk is full. */
  add(group: number, row: Float64Array): void {
    if (this.#count === this.#groups.length) {
      if (this.#count < this.#held) this.#grow()
      else this.#spill()
    }
    this.#rows.set(row, this.#count * this.width)
    this.#groups[this.#count++] = group
  }

  /** All rows of a group, in the order in which they were added; rows with the content of an earlier one may be left out. */
  rowsOf(group: number): Float64Array {
    this.#settle()
    const stretches = this.#stretches.get(group) ?? []
    const rows = new Float64Array(stretches.reduce((sum, { count }) => sum + count, 0) * this.width)
    let at = 0
    for (const { first, count } of stretches) {
      const target = rows.subarray(at, at + count * this.width)
      const from = (first - this.#filed) * this.width
      if (from >= 0) target.set(this.#sorted.subarray(from, from + target.length))
      else this.#read(target, first)
      at += target.length
    }
    return rows
  }

  /** Forgets the rows of a group. Their room in the file stays until `compact`. */
  forget(group: number): void {
    this.#stretches.delete(group)
  }

  /** Begins a new file with the rows that are not forgotten, group by group. */
  compact(): void {
    this.#settle()
    const kept = new GroupedRows({ width: this.width, content: this.#content, held: this.#held })
    try {
      for (const group of this.#stretches.keys()) {
        const rows = this.rowsOf(group)
        for (let at = 0; at < rows.length; at += this.width) kept.add(group, rows.subarray(at, at + this.width))
      }
    } catch (error) {
      kept.close()
      throw error
    }
    this.close()
    this.#rows = kept.#rows
    this.#groups = kept.#groups
    this.#count = kept.#count
    this.#filed = kept.#filed
    this.#sorted = kept.#sorted
    this.#room = kept.#room
    this.#stretches = kept.#stretches
    this.#folder = kept.#folder
    this.#file = kept.#file
  }

  /** Deletes the temporary file. */
  close(): void {
    if (this.#file >= 0) closeSync(this.#file)
    this.#file = -1
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = undefined
  }

  #grow(): void {
    const size = Math.min(this.#held, 2 * this.#groups.length)
    const [rows, groups] = [new Float64Array(size * this.width), new Int32Array(size)]
    rows.set(this.#rows)
    groups.set(this.#groups)
    this.#rows = rows
    this.#groups = groups
  }

  /** Sorts the rows that were added last, so that every row lies in a stretch of its group. */
  #settle(): void {
    if (this.#count === 0) return
    this.#write(this.#sorted)
    this.#sorted = this.#sort()
  }

  #spill(): void {
    this.#write(this.#sorted)
    this.#sorted = new Float64Array(0)
    this.#write(this.#sort())
  }

  /** Takes the rows in memory out, sorted by group, and notes where each group will lie. */
  #sort(): Float64Array {
    const { width } = this
    const byGroup = new Map<number, number[]>()
    for (let row = 0; row < this.#count; row++) {
      const group = this.#groups[row]
      const rows = byGroup.get(group)
      if (rows === undefined) byGroup.set(group, [row])
      else rows.push(row)
    }
    if (this.#room.length < this.#count * width) this.#room = new Float64Array(this.#groups.length * width)
    const sorted = this.#room
    let at = 0
    for (const [group, all] of byGroup) {
      const rows = all.length > MANY_ROWS ? this.#withoutRepeated(all) : all
      const stretches = this.#stretches.get(group)
      const stretch = { first: this.#filed + at, count: rows.length }
      if (stretches === undefined) this.#stretches.set(group, [stretch])
      else stretches.push(stretch)
      for (const row of rows) sorted.set(this.#rows.subarray(row * width, (row + 1) * width), at++ * width)
    }
    this.#count = 0
    return sorted.subarray(0, at * width)
  }

  #withoutRepeated(rows: readonly number[]): readonly number[] {
    const seen = new Set<string>()
    return rows.filter((row) => {
      const content = this.#rows.subarray(row * this.width + this.#content, (row + 1) * this.width)
      const name = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1')
      return !seen.has(name) && seen.add(name)
    })
  }

  #write(rows: Float64Array): void {
    if (rows.length === 0) return
    try {
      if (this.#file < 0) {
        this.#folder = mkdtempSync(join(tmpdir(), 'gammawall-import-'))
        this.#file = openSync(join(this.#folder, 'rows'), 'wx+', 0o600)
      }
      const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength)
      const start = 8 * this.width * this.#filed
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at, bytes.length - at, start + at)
    } catch (error) {
      throw new FilesError(`the rows of the import do not fit into ${tmpdir()}: ${reasonOf(error)}`)
    }
    this.#filed += rows.length / this.width
  }

  #read(rows: Float64Array, first: number): void {
    const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength)
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(this.#file, bytes, at, bytes.length - at, 8 * this.width * first + at)
      if (count === 0) throw new FilesError('the temporary file of the import was cut')
      at += count
    }
  }
}
