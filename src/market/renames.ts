import type { IsoDate, Ticker } from './units.ts'

/** A company that trades under another symbol from a date on. One old share is one new share. */
export interface Rename {
  readonly from: Ticker
  readonly to: Ticker
  /** The first day of the new symbol. */
  readonly date: IsoDate
}

/**
 * Well-known companies with listed options that changed their symbols. Old symbols that another company took since, such as HCP,
 * are left out. Source: notices of the exchanges.
 */
const known: readonly Rename[] = `
  COH TPR 2017-10-31, PCLN BKNG 2018-02-27, KORS CPRI 2019-01-02, TMK GL 2019-08-08,
  SYMC NLOK 2019-11-05, JEC J 2019-12-10, CTL LUMN 2020-09-18, TOT TTE 2021-06-11, COG CTRA 2021-10-04,
  WLTW WTW 2022-01-10, VIAC PARA 2022-02-17, ADS BFH 2022-04-04, BLL BALL 2022-05-10, FB META 2022-06-09,
  ANTM ELV 2022-06-28, NLOK GEN 2022-11-08, PKI RVTY 2023-05-16, FISV FI 2023-06-07, RE EG 2023-07-10,
  ABC COR 2023-08-30, CDAY DAY 2024-02-01, PEAK DOC 2024-03-04, FLT CPAY 2024-03-25, GPS GAP 2024-08-22,
  CHK EXE 2024-10-02, SQ XYZ 2025-01-21, FI FISV 2025-11-11`
  .trim()
  .split(/,\s+/)
  .map((line) => {
    const [from, to, date] = line.split(' ')
    return { from: from as Ticker, to: to as Ticker, date: date as IsoDate }
  })

/** What follows from the renames in use. */
interface Names {
  /** The renames that the operator added. */
  readonly added: readonly Rename[]
  readonly newest: ReadonlyMap<Ticker, Ticker>
  readonly former: ReadonlyMap<Ticker, readonly FormerName[]>
  /** Symbols that a company gave up at some time. */
  readonly given: ReadonlySet<Ticker>
}

/** A symbol under which a company traded before its newest one. */
export interface FormerName {
  readonly name: Ticker
  /** The first day of the next symbol. */
  readonly until: IsoDate
}

const noNames: readonly FormerName[] = []

let current = namesOf([])

/** Adds renames of the operator to the well-known ones, in place of those added before. One of the same day counts. */
export function useRenames(more: readonly Rename[]): void {
  current = namesOf(more)
}

/** The renames that the operator added to the well-known ones. */
export function addedRenames(): readonly Rename[] {
  return current.added
}

function namesOf(added: readonly Rename[]): Names {
  const own = new Set(added.map(({ from, date }) => `${from} ${date}`))
  const all = [...known.filter(({ from, date }) => !own.has(`${from} ${date}`)), ...added]
  const byDate = all.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  const given = new Set(byDate.map(({ from }) => from))
  return { added, newest: newestNames(byDate), former: formerNamesIn(byDate), given }
}

/** Newest symbol of the company that has or had a symbol: META for FB. The symbol itself for most. */
export function currentName(symbol: Ticker): Ticker {
  return current.newest.get(symbol) ?? symbol
}

/** Earlier symbols of the company that has a symbol now, oldest first: FB for META. None for most. */
export function formerNames(symbol: Ticker): readonly FormerName[] {
  return current.former.get(symbol) ?? noNames
}

/**
 * The newest symbol for each old one. A symbol that a company took after another one gave it up stands for the newer
 * owner, so symbols that were exchanged or taken back lead to no circle.
 */
function newestNames(byDate: readonly Rename[]): ReadonlyMap<Ticker, Ticker> {
  const names = new Map<Ticker, Ticker>()
  for (const { from, to } of byDate) {
    for (const [old, name] of names) if (name === from) names.set(old, to)
    names.set(from, to)
    names.delete(to)
  }
  return names
}

/** The symbol that the company with a symbol of today had on a day: FB for META on 2022-06-08. */
export function nameOn(symbol: Ticker, date: IsoDate): Ticker {
  return formerNames(symbol).find(({ until }) => date < until)?.name ?? symbol
}

/** The symbol of today of the company that had a symbol on a day: META for FB on 2022-06-08. The symbol itself for most. */
export function newestNameOn(name: Ticker, date: IsoDate): Ticker {
  if (!current.given.has(name)) return name
  for (const symbol of current.former.keys()) if (nameOn(symbol, date) === name) return symbol
  return name
}

/** Earlier symbols by the newest one. A symbol that another company takes brings none of the names of its owner before. */
function formerNamesIn(byDate: readonly Rename[]): ReadonlyMap<Ticker, readonly FormerName[]> {
  const former = new Map<Ticker, readonly FormerName[]>()
  for (const { from, to, date } of byDate) {
    const names = former.get(from) ?? noNames
    former.delete(from)
    former.set(to, [...names, { name: from, until: date }])
  }
  return former
}
