import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Groups, Positions } from '../../src/flow/tape-views.ts'
import { CALL, PUT } from '../../src/market/chain.ts'
import { parseEasternDateTime } from '../../src/market/eastern.ts'
import { aggressors, PRICE_UNIT } from '../../src/market/print.ts'
import { SeriesList } from '../../src/market/series.ts'
import type { IsoDate, Ticker } from '../../src/market/units.ts'
import { groupsOf } from '../support/made-up-flow.ts'

const data = resolve(import.meta.dirname, '../../../shared/data')
const printsFile = resolve(data, 'trades/vix-options-2016-06-01.csv.gz')
const referenceFile = resolve(data, 'reference/flow.json')

/**
 * Whether the project's neighbouring folder holds the recorded prints and the figures that other code computed from
 * them.
 */
export const isRecorded = existsSync(printsFile) && existsSync(referenceFile)
if (!isRecorded) console.log('skipped: the recorded prints and their reference are not beside the project')

interface Result {
  readonly id: string
  readonly expected: unknown
}

const reference: readonly Result[] = isRecorded ? JSON.parse(readFileSync(referenceFile, 'utf8')).results : []

export function referenceOf<Expected>(id: string): Expected {
  return reference.find((result) => result.id === id)!.expected as Expected
}

/** The moments, New York, for which the reference states a result of the VIX day. */
export const moments = reference.flatMap(({ id }) => /^vix\.signals@(.*)/.exec(id)?.[1] ?? [])

interface Print {
  readonly at: number
  readonly sequence: number
  readonly series: number
  readonly price: number
  readonly size: number
  readonly side: number
  readonly aggressor: number
  readonly condition: string
  readonly isCancelled: boolean
}

const MARKED = ['106', '2']
const INTERMARKET_SWEEP = '95'
const CANCEL = '40'

const instantOf = (time: string) => parseEasternDateTime(`2016-06-01T${time}`)!

/**
 * The day at a moment, by the rules of the contract in the plainest code: sides from the reference, groups from a list of
 * prints.
 */
export function recordedDay(time: string): { readonly positions: Positions; readonly groups: Groups } {
  const at = instantOf(time)
  const { prints, list, cancelledAt } = allPrints()
  const eligible = prints.filter(
    (print) => print.at <= at && !MARKED.includes(print.condition) && !(print.isCancelled && at >= cancelledAt)
  )
  const columns = [0, 1, 2].map(() => new Int32Array(list.length))
  for (const { series, side, size } of eligible) columns[side][series] += size
  const [other, bought, sold] = columns
  const header = { symbol: 'VIX' as Ticker, kind: 'option', session: '2016-06-01' as IsoDate, known: at } as const
  const tape = { ...header, source: 'recorded', unit: PRICE_UNIT, version: 1, silent: false } as const
  const notable = closedGroups(eligible, at).filter(
    (group) => sizeOf(group) >= 100 || moneyOf(group) * 100 * PRICE_UNIT >= 250_000
  )
  return {
    positions: { ...tape, series: list.columns, bought, sold, other, confidence: 0.43 },
    groups: groupsOf(
      tape,
      list.columns,
      notable.map((group) => ({
        instrument: group[0].series,
        first: 1000 * group[0].at,
        last: 1000 * group[group.length - 1].at,
        sequence: group[0].sequence,
        side: group[0].side,
        prints: group.length,
        money: moneyOf(group),
        sizes: aggressors.map((_, label) => sizeOf(group.filter(({ aggressor }) => aggressor === label))),
        oneOrder:
          new Set(group.map(({ price }) => price)).size === 1 &&
          group.every(({ condition }) => condition !== INTERMARKET_SWEEP)
      }))
    )
  }
}

const sizeOf = (group: readonly Print[]) => group.reduce((sum, { size }) => sum + size, 0)
const moneyOf = (group: readonly Print[]) => group.reduce((sum, { size, price }) => sum + size * price, 0)

function closedGroups(prints: readonly Print[], at: number): readonly (readonly Print[])[] {
  const groups: Print[][] = []
  const open = new Map<number, Print[]>()
  for (const print of prints) {
    if (print.side === 0) {
      groups.push([print])
      continue
    }
    const group = open.get(print.series)
    const joins =
      group !== undefined &&
      group[0].side === print.side &&
      print.at - group[group.length - 1].at <= 500 &&
      print.at - group[0].at <= 2000
    if (joins) group.push(print)
    else {
      const begun = [print]
      groups.push(begun)
      open.set(print.series, begun)
    }
  }
  const stillOpen = (group: readonly Print[]) =>
    open.get(group[0].series) === group && at - group[group.length - 1].at <= 500 && at - group[0].at <= 2000
  return groups.filter((group) => !stillOpen(group as Print[]))
}

let read: ReturnType<typeof readPrints> | undefined
const allPrints = () => (read ??= readPrints())

function readPrints() {
  const lines = gunzipSync(readFileSync(printsFile)).toString().trim().split('\n').slice(1)
  const rows = lines
    .map((line) => line.split(','))
    .map((cells) => ({ cells, at: instantOf(cells[1].slice(11)), sequence: Number(cells[2]) }))
    .sort((a, b) => a.at - b.at || a.sequence - b.sequence)
  const list = new SeriesList()
  const sides = referenceOf<string>('vix.sides')
  const prints: Print[] = []
  let cancelledAt = Infinity
  for (const { cells, at, sequence } of rows) {
    const [, , , root, date, strike, right, , size, price, condition, cancels, bid, ask] = cells
    if (condition === CANCEL) {
      cancelledAt = at
      continue
    }
    const listed = { root, date: date as IsoDate, settlement: 'am', adjusted: false } as const
    const series = list.numberOf({ ...listed, strike: Number(strike), right: right === 'C' ? CALL : PUT })
    const quote = { price: unitsOf(price), bid: unitsOf(bid), ask: unitsOf(ask) }
    prints.push({
      at,
      sequence,
      series,
      price: quote.price,
      size: Number(size),
      side: 'mbs'.indexOf(sides[prints.length]),
      aggressor: aggressors.indexOf(aggressorOf(quote)),
      condition,
      isCancelled: cancels === '1'
    })
  }
  return { prints, list, cancelledAt }
}

const unitsOf = (text: string) => Math.round(Number(text) * 10_000)

function aggressorOf({ price, bid, ask }: Readonly<Record<'price' | 'bid' | 'ask', number>>) {
  if (ask <= 0 || ask < bid) return 'mid'
  if (price > ask + 1) return 'above_ask'
  if (price < bid - 1) return 'below_bid'
  if (bid === ask) return 'mid'
  if (price >= ask - 1) return 'at_ask'
  return price <= bid + 1 ? 'at_bid' : 'mid'
}
