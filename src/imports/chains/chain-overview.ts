import { CALL, type Chain } from '../../market/chain.ts'
import { easternDateTime } from '../../market/eastern.ts'
import { impliedSpot, parityValues } from '../../market/implied-spot.ts'
import type { Ticker } from '../../market/units.ts'
import { median } from '../../math/statistics.ts'
import { UNENDED } from '../judged/unended-file.ts'
import type { DescribedTable } from './described-table.ts'
import type { MomentDoubt } from './judge-moment.ts'
import type { JudgedMoment } from './judge-moments.ts'

/** Most tables, symbols and odd moments that are named; the rest is counted. */
const MAX_TABLES = 5
const MAX_SYMBOLS = 20
const MAX_ODD = 5
const FIRST_ROWS = 3
/** A moment whose number of contracts differs more from the usual one of its symbol is odd. */
const ODD = 0.2

/** Collects chains that an overview shows. */
export class ShownChains {
  /** The first chain, whose first rows are shown. */
  first: Chain | undefined
  readonly newest = new Map<Ticker, Chain>()

  add(chain: Chain): void {
    this.first ??= chain
    if (this.newest.size < MAX_SYMBOLS || this.newest.has(chain.symbol)) this.newest.set(chain.symbol, chain)
  }
}

/**
 * Text about what an import has understood of its tables: how they are read, the moments of each symbol and their
 * contracts, spot and parity, the first rows as they will stand, and what is doubted.
 */
export function chainOverview(
  tables: readonly DescribedTable[],
  judged: readonly JudgedMoment[],
  { first, newest }: ShownChains,
  accept: boolean
): string {
  const symbols = groupedBy(judged, ({ moment }) => moment.symbol)
  const shown = [...symbols].slice(0, MAX_SYMBOLS)
  return [
    ...tables.slice(0, MAX_TABLES).flatMap(tableLines),
    ...more(tables.length - MAX_TABLES, 'tables'),
    ...shown.flatMap(([symbol, moments]) => symbolLines(symbol, moments, newest.get(symbol))),
    ...more(symbols.size - MAX_SYMBOLS, 'symbols'),
    ...(first === undefined ? [] : ['first rows as they will stand:', ...rowLines(first)]),
    ...doubtLines(judged, ({ doubt }) => doubt, accept ? 'doubted but accepted' : 'doubted and set aside'),
    ...doubtLines(judged, ({ misfit, doubt }) => (doubt === undefined ? misfit : undefined), 'doubted but written'),
    ...aloneLines(judged)
  ].join('\n')
}

const more = (count: number, of: string) => (count > 0 ? [`and ${count} more ${of}`] : [])

function tableLines(table: DescribedTable): readonly string[] {
  const { path, layout, delimiter, moments, fields, hint, isUnended } = table
  const read = fields.length === 0 ? '' : `, separated by ${delimiter}; ${moments}; reads ${fields.join(', ')}`
  const notes = [hint, isUnended ? UNENDED : undefined].filter((note) => note !== undefined)
  return [`${path}: ${layout}${read}`, ...notes.map((note) => `  ${note}`)]
}

const timeOf = ({ moment }: JudgedMoment) => easternDateTime(moment.asOf).replace('T', ' ').slice(0, 16)

function symbolLines(symbol: Ticker, moments: readonly JudgedMoment[], chain: Chain | undefined): readonly string[] {
  const [first, last] = [moments[0], moments[moments.length - 1]]
  const sizes = moments.map(({ size }) => size)
  const usual = median(sizes)!
  const span = moments.length === 1 ? timeOf(first) : `${timeOf(first)} to ${timeOf(last)}`
  const low = sizes.reduce((least, size) => Math.min(least, size))
  const high = sizes.reduce((most, size) => Math.max(most, size))
  const contracts = low === high ? `${low} contracts` : `${low} to ${high} contracts, usually ${Math.round(usual)}`
  const odd = moments.filter(({ size }) => Math.abs(size - usual) > ODD * usual)
  const named = odd.slice(0, MAX_ODD).map((one) => `${timeOf(one)} with ${one.size}`)
  const others = odd.length > MAX_ODD ? ` and ${odd.length - MAX_ODD} more` : ''
  return [
    `${symbol}: ${moments.length} ${moments.length === 1 ? 'moment' : 'moments'}, ${span} New York, ${contracts}${spotText(last, chain)}`,
    ...(odd.length > 0 ? [`  odd: ${named.join(', ')}${others}`] : [])
  ]
}

function spotText({ spot }: JudgedMoment, chain: Chain | undefined): string {
  if (spot === undefined) return ', no price of the underlying'
  const implied = chain && impliedSpot(parityValues(chain, 1))
  const parity =
    implied === undefined ? '' : `, put-call parity ${implied.low.toFixed(2)} to ${implied.high.toFixed(2)}`
  return `, spot ${spot}${parity}`
}

function rowLines({
  symbol,
  asOf,
  spot,
  expirations,
  strike,
  right,
  bid,
  ask,
  openInterest
}: Chain): readonly string[] {
  const lines: string[] = []
  const time = easternDateTime(asOf).replace('T', ' ')
  for (const { root, date, start, end } of expirations) {
    for (let i = start; i < end && lines.length < FIRST_ROWS; i++) {
      const contract = `${root} ${date} ${strike[i]} ${right[i] === CALL ? 'C' : 'P'}`
      const interest = openInterest[i] < 0 ? 'unknown' : openInterest[i]
      const quote = `bid ${shownPrice(bid[i])}, ask ${shownPrice(ask[i])}`
      lines.push(`  ${symbol} ${time}, ${contract}, ${quote}, open interest ${interest}, underlying ${spot}`)
    }
  }
  return lines
}

const shownPrice = (price: number) => (Number.isNaN(price) ? 'unknown' : String(price))

/** One line for each kind of doubt: how many moments, and the first of them. */
function doubtLines(
  judged: readonly JudgedMoment[],
  doubtOf: (one: JudgedMoment) => MomentDoubt | undefined,
  outcome: string
): readonly string[] {
  const doubted = judged.filter((one) => doubtOf(one) !== undefined)
  return [...groupedBy(doubted, (one) => doubtOf(one)!.kind).values()].map((ofKind) => {
    const [{ moment }] = ofKind
    const count = ofKind.length === 1 ? '1 moment' : `${ofKind.length} moments, the first`
    return `${outcome}: ${count}: ${moment.symbol} on ${moment.date}: ${doubtOf(ofKind[0])!.text}`
  })
}

/** One line about the moments that could be compared with none. */
function aloneLines(judged: readonly JudgedMoment[]): readonly string[] {
  const alone = judged.filter(({ isAlone, doubt }) => isAlone && doubt === undefined)
  if (alone.length === 0) return []
  const [{ moment }] = alone
  const others = alone.length > 1 ? ` and of ${alone.length - 1} more` : ''
  return [`the only moment of ${moment.symbol}${others}: if the file was cut after a row, nothing tells of it`]
}

function groupedBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
