import { grownLength } from '../memory/grown-length.ts'
import { sharedMemory } from '../memory/shared-memory.ts'
import { CALL } from './chain.ts'
import type { Settlement } from './clock.ts'
import type { IsoDate } from './units.ts'

export interface SeriesExpiration {
  readonly date: IsoDate
  readonly root: string
  readonly settlement: Settlement
}

export interface ListedSeries extends SeriesExpiration {
  readonly strike: number
  readonly right: number
  /** Whether the option delivers something other than 100 shares. */
  readonly adjusted: boolean
}

/**
 * The series (contracts) of a tape, one array per property: row k is instrument k of its prints. Rows are in order of
 * first print and never move. A tape of stock prints has one row, without expiration.
 */
export interface Series {
  readonly length: number
  readonly expirations: readonly SeriesExpiration[]
  /** Index into `expirations`; -1 on a tape of stock prints. */
  readonly expiration: Int32Array
  readonly strike: Float64Array
  readonly right: Uint8Array
  /** 1 if the contract delivers something other than 100 shares. */
  readonly adjusted: Uint8Array
}

const FIRST_CAPACITY = 64

/** Collects the series of one tape and session, numbered in order of appearance. */
export class SeriesList {
  /**
   * Series numbers by expiration, then by strike; puts have negated strikes. Keys made of the names would take ten
   * times the memory.
   */
  readonly #numbers: Map<number, number>[] = []
  readonly #expirationNumbers = new Map<string, number>()
  readonly #expirations: SeriesExpiration[] = []
  #length = 0
  #rows = emptySeries(FIRST_CAPACITY)
  #columns: Series | undefined

  get length(): number {
    return this.#length
  }

  /** The number of a series; a new series gets the next one. */
  numberOf(series: ListedSeries): number {
    const expiration = this.#expirationOf(series)
    const numbers = this.#numbers[expiration]
    const name = series.right === CALL ? series.strike : -series.strike
    let number = numbers.get(name)
    if (number === undefined) numbers.set(name, (number = this.#add(series, expiration)))
    return number
  }

  isAdjusted(number: number): boolean {
    return this.#rows.adjusted[number] === 1
  }

  /** All series so far: the same object until a series is added. */
  get columns(): Series {
    return (this.#columns ??= {
      length: this.#length,
      expirations: [...this.#expirations],
      ...copyOf(this.#rows, this.#length, this.#length)
    })
  }

  #expirationOf({ date, root, settlement }: ListedSeries): number {
    const name = `${root} ${date}`
    let expiration = this.#expirationNumbers.get(name)
    if (expiration === undefined) {
      expiration = this.#expirations.push({ date, root, settlement }) - 1
      this.#expirationNumbers.set(name, expiration)
      this.#numbers.push(new Map())
    }
    return expiration
  }

  #add({ strike, right, adjusted }: ListedSeries, expiration: number): number {
    const at = this.#length++
    if (at === this.#rows.strike.length) this.#rows = copyOf(this.#rows, at, grownLength(at))
    this.#rows.expiration[at] = expiration
    this.#rows.strike[at] = strike
    this.#rows.right[at] = right
    this.#rows.adjusted[at] = adjusted ? 1 : 0
    this.#columns = undefined
    return at
  }
}

/** One row of the series of a tape of option prints. */
export function listedSeries(series: Series, at: number): ListedSeries {
  const { expirations, expiration, strike, right, adjusted } = series
  return { ...expirations[expiration[at]], strike: strike[at], right: right[at], adjusted: adjusted[at] === 1 }
}

/** The first `length` series, with the expirations known at that point. */
export function firstSeries(series: Series, length: number): Series {
  if (length === series.length) return series
  const { expirations, expiration, strike, right, adjusted } = series
  let expirationCount = 0
  for (let k = 0; k < length; k++) expirationCount = Math.max(expirationCount, expiration[k] + 1)
  return {
    length,
    expirations: expirations.slice(0, expirationCount),
    expiration: expiration.subarray(0, length),
    strike: strike.subarray(0, length),
    right: right.subarray(0, length),
    adjusted: adjusted.subarray(0, length)
  }
}

/** The one series of a tape of stock prints. */
export const stockSeries: Series = {
  length: 1,
  expirations: [],
  expiration: Int32Array.of(-1),
  strike: Float64Array.of(0),
  right: Uint8Array.of(0),
  adjusted: Uint8Array.of(0)
}

type SeriesColumns = Pick<Series, 'expiration' | 'strike' | 'right' | 'adjusted'>

function emptySeries(capacity: number): SeriesColumns {
  const buffer = sharedMemory(14 * capacity)
  return {
    strike: new Float64Array(buffer, 0, capacity),
    expiration: new Int32Array(buffer, 8 * capacity, capacity),
    right: new Uint8Array(buffer, 12 * capacity, capacity),
    adjusted: new Uint8Array(buffer, 13 * capacity, capacity)
  }
}

function copyOf({ expiration, strike, right, adjusted }: SeriesColumns, length: number, capacity: number) {
  const copy = emptySeries(capacity)
  copy.expiration.set(expiration.subarray(0, length))
  copy.strike.set(strike.subarray(0, length))
  copy.right.set(right.subarray(0, length))
  copy.adjusted.set(adjusted.subarray(0, length))
  return copy
}

/**
 * Finds how many series were known after any number of rows of a tape. Rows may be added to the tape but never change.
 */
export class NamedSeries {
  /** For each series, the index of the first row that shows that it exists. */
  readonly #named: number[] = []
  #read = 0

  /** Number of series known after the first `rows` rows; `instrument` has at least that many entries. */
  by(rows: number, instrument: Int32Array): number {
    for (; this.#read < rows; this.#read++) {
      // Series are numbered by first print; if that print was lost, a print of a series with a higher number implies
      // it.
      while (this.#named.length <= instrument[this.#read]) this.#named.push(this.#read)
    }
    let [low, high] = [0, this.#named.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#named[middle] < rows) low = middle + 1
      else high = middle
    }
    return low
  }
}
