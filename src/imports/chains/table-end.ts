import type { ContractRow } from '../../market/chain.ts'
import { isLive } from '../../market/clock.ts'
import type { Instant, IsoDate, Ticker } from '../../market/units.ts'
import type { ChainRow } from './chain-table.ts'
import type { Moment } from './moment-rows.ts'
import { contractText } from './resolve-moment.ts'

/** Contract that a table should hold if it was not cut off. */
export interface ExpectedAtEnd {
  /** Moments that should list the contract. */
  readonly moments: readonly Moment[]
  readonly contract: ContractRow
  /** Moment of which the last one is a beginning if the table was cut off; undefined if only the contract tells. */
  readonly wholeMoment: Moment | undefined
  /** Moments that are incomplete if one of the others lacks the contract. */
  readonly doubtful: readonly Moment[]
  readonly reason: string
}

interface LastRow {
  readonly moment: Moment
  readonly contract: ContractRow
}

/** Fewest contracts from which an order can be told. */
const FEWEST = 8
/** Stands for the contracts of every moment that has so many, since a table may have very many moments. */
const ENOUGH = new Set<string>()

const byExpiration = (a: ContractRow, b: ContractRow) =>
  a.expiration < b.expiration ? -1 : a.expiration > b.expiration ? 1 : 0
const byStrike = (a: ContractRow, b: ContractRow) => a.strike - b.strike
const callsFirst = (a: ContractRow, b: ContractRow) => a.right - b.right
const putsFirst = (a: ContractRow, b: ContractRow) => b.right - a.right

/** Orders of the contracts of one moment, each by its first comparison that tells two contracts apart. */
const orders: readonly (readonly ((a: ContractRow, b: ContractRow) => number)[])[] = [
  [byExpiration, byStrike],
  [byExpiration, callsFirst, byStrike],
  [byExpiration, putsFirst, byStrike],
  [callsFirst, byExpiration, byStrike],
  [putsFirst, byExpiration, byStrike]
]

function areInOrder(order: (typeof orders)[number], a: ContractRow, b: ContractRow): boolean {
  for (const compare of order) {
    const difference = compare(a, b)
    if (difference !== 0) return difference < 0
  }
  return true
}

/**
 * Follows the order of a table's rows, to tell at its end whether it was cut off. A table that is sorted by moment or by
 * date ends with the contract with which the part before ended; one that is sorted by contract ends with a contract of
 * all its moments. Nothing is told of a table in no order.
 */
export class TableEnd {
  #last: LastRow | undefined
  /** First contracts of each moment in this table, each once; ENOUGH from FEWEST on. */
  readonly #firstContracts = new Map<Moment, Set<string>>()
  #isBroken = false
  #isByMoment = true
  #isByDate = true
  readonly #leftMoments = new Map<Ticker, Set<Instant>>()
  readonly #leftDates = new Set<IsoDate>()
  /** Last row of each symbol in the moment before, and in the date before. */
  readonly #ofMomentBefore = new Map<Ticker, LastRow>()
  readonly #ofDateBefore = new Map<Ticker, LastRow>()
  #symbolsOfDate = new Set<Ticker>()
  /** Symbol with which the date before ended, and how many dates in a row did. */
  #atEnd: { readonly symbol: Ticker; readonly dates: number } | undefined
  /** Orders that the rows of every moment had so far. */
  #orders = orders
  /** Contracts that were left for another one, while none came again. */
  #leftContracts: Set<string> | undefined = new Set()
  /** How many of them had several rows, and whether the newest one has. */
  #severalRows = 0
  #hasSeveralRows = false

  row(moment: Moment, { contracts }: ChainRow): void {
    this.#isBroken = false
    const last = this.#last
    const contract = contracts[contracts.length - 1]
    if (last !== undefined) {
      if (last.moment !== moment) this.#leave(last, moment)
      else this.#orders = this.#orders.filter((order) => areInOrder(order, last.contract, contracts[0]))
      if (this.#leftContracts !== undefined) this.#leaveContract(last, moment, contract)
    }
    this.#countFirst(moment, contracts)
    this.#symbolsOfDate.add(moment.symbol)
    this.#last = { moment, contract }
  }

  /** Notes that a row has too few fields. */
  broken(): void {
    this.#isBroken = true
  }

  /** Whether the newest row has too few fields. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Moment of the last row; undefined without rows. */
  get moment(): Moment | undefined {
    return this.#last?.moment
  }

  /** Moments that are incomplete if the table breaks off after its newest row. */
  doubtful(all: readonly Moment[]): readonly Moment[] {
    const last = this.#last?.moment
    if (last === undefined) return []
    if (this.#isByMoment) return [last]
    return all.filter(({ symbol, date }) => symbol === last.symbol && (!this.#isByDate || date === last.date))
  }

  /** The symbol with which the dates before ended, if the last date lacks it. */
  get missingSymbol(): Ticker | undefined {
    const isSorted = this.#isByMoment && this.#orders.length > 0
    if (!isSorted || this.#atEnd === undefined || this.#atEnd.dates < 2) return undefined
    return this.#symbolsOfDate.has(this.#atEnd.symbol) ? undefined : this.#atEnd.symbol
  }

  /** Contracts that the table should hold, by its last row and by the part before it. */
  expected(all: readonly Moment[]): readonly ExpectedAtEnd[] {
    const last = this.#last
    if (last === undefined) return []
    const doubtful = this.doubtful(all)
    const { symbol, asOf } = last.moment
    const before = this.#before(symbol)
    const found: ExpectedAtEnd[] = []
    const expect = (expected: Omit<ExpectedAtEnd, 'doubtful'>) => {
      const { expiration, settlement } = expected.contract
      const moments = expected.moments.filter((moment) => isLive(moment.asOf, expiration, settlement))
      if (moments.length > 0) found.push({ ...expected, moments, doubtful })
    }
    if (before !== undefined && last.moment.rows < before.moment.rows) {
      expect({
        moments: [last.moment],
        contract: before.contract,
        wholeMoment: this.#isByMoment ? before.moment : undefined,
        reason: `the table may be cut off: it lacks ${contractText(before.contract)}, with which the part before ends`
      })
    }
    if (this.#isByContract) {
      const later = doubtful.filter((moment) => moment.asOf > asOf)
      expect({
        moments: later,
        contract: last.contract,
        wholeMoment: undefined,
        reason: `the table may be cut off: it ends in the middle of ${contractText(last.contract)}`
      })
    }
    return found
  }

  /** Whether the rows of each contract follow one another. Contracts with a single row each tell nothing. */
  get #isByContract(): boolean {
    const left = this.#leftContracts?.size ?? 0
    return !this.#isByMoment && left >= FEWEST && 2 * this.#severalRows >= left
  }

  /** Last row of the part before, if parts are sorted. */
  #before(symbol: Ticker): LastRow | undefined {
    if (this.#orders.length === 0) return undefined
    const parts = this.#isByMoment ? this.#ofMomentBefore : this.#isByDate ? this.#ofDateBefore : undefined
    const before = parts?.get(symbol)
    return before !== undefined && this.#hasOrder(before.moment) ? before : undefined
  }

  #countFirst(moment: Moment, contracts: readonly ContractRow[]): void {
    let first = this.#firstContracts.get(moment)
    if (first === ENOUGH) return
    if (first === undefined) this.#firstContracts.set(moment, (first = new Set()))
    for (const contract of contracts) first.add(contractText(contract))
    if (first.size >= FEWEST) this.#firstContracts.set(moment, ENOUGH)
  }

  /** Whether this table lists so many contracts of a moment that their order is hardly chance. */
  #hasOrder(moment: Moment): boolean {
    return this.#firstContracts.get(moment) === ENOUGH
  }

  #leaveContract({ moment: { symbol }, contract }: LastRow, { symbol: next }: Moment, contractNow: ContractRow): void {
    const [before, now] = [`${symbol} ${contractText(contract)}`, `${next} ${contractText(contractNow)}`]
    if (before === now) {
      this.#hasSeveralRows = true
      return
    }
    if (this.#hasSeveralRows) this.#severalRows++
    this.#hasSeveralRows = false
    this.#leftContracts!.add(before)
    if (this.#leftContracts!.has(now)) this.#leftContracts = undefined
  }

  #leave(last: LastRow, next: Moment): void {
    const { symbol, asOf, date } = last.moment
    this.#ofMomentBefore.set(symbol, last)
    let left = this.#leftMoments.get(symbol)
    if (left === undefined) this.#leftMoments.set(symbol, (left = new Set()))
    left.add(asOf)
    if (this.#leftMoments.get(next.symbol)?.has(next.asOf)) this.#isByMoment = false
    if (date === next.date) return
    this.#leftDates.add(date)
    if (this.#leftDates.has(next.date)) this.#isByDate = false
    const dates = this.#atEnd?.symbol === symbol ? this.#atEnd.dates + 1 : 1
    this.#atEnd = this.#hasOrder(last.moment) ? { symbol, dates } : undefined
    if (this.#isByDate) {
      for (const [of, row] of this.#ofMomentBefore) if (row.moment.date === date) this.#ofDateBefore.set(of, row)
    }
    this.#symbolsOfDate = new Set()
  }
}
