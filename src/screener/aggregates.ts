import type { PricedChain } from '../pricing/price-chain.ts'
import { chainTree, strikeNodes } from './chain-tree.ts'
import { type Kept, liveMarks } from './row-filter.ts'
import type { FieldTable, Printed, ScreenerField } from './screener-field.ts'
import type { ScreenedRow } from './screener-row.ts'

type Figures = Readonly<Record<string, Printed>>

/**
 * One expiration in a response of the screener: its figures, and the strikes and contracts in it that pass the filter.
 * The filter does not change the figures.
 */
export type ExpiryAggregate = Readonly<Record<string, Printed | readonly object[]>>

export function printedContracts({ chain }: ScreenedRow, kept: Kept): number {
  if (chain === undefined || kept === false) return 0
  if (kept === true) return chainTree(chain).ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  let count = 0
  for (const mark of kept) count += mark
  return count
}

/** Expirations, strikes and contracts of a symbol that pass a filter. Ascending by date and strike. */
export function aggregatesOf(
  { chain, expiries }: ScreenedRow,
  kept: Kept,
  fields: FieldTable
): readonly ExpiryAggregate[] {
  if (chain === undefined || kept === false) return []
  const marks = kept === true ? liveMarks(chain) : kept
  const nodes = strikeNodes(chain)
  const width = fields.expiries.length
  const ofStrike = figuresBy(
    fields.strikes,
    fields.strikes.map((field) => field.ofStrike(chain, nodes))
  )
  const ofContract = figuresBy(
    fields.contracts,
    fields.contracts.map((field) => field.ofContract(chain))
  )
  const strikes: (readonly object[])[] = chainTree(chain).dates.map(() => [])
  for (let k = 0; k < nodes.strike.length; k++) {
    const contracts = contractsOf(k, chain, marks, ofContract)
    if (contracts.length > 0) (strikes[nodes.date[k]] as object[]).push({ ...ofStrike(k), contracts })
  }
  return strikes.flatMap((strike_aggregates, date) => {
    if (strike_aggregates.length === 0) return []
    const figures = figuresBy(
      fields.expiries,
      fields.expiries.map((_, at) => () => expiries[date * width + at])
    )
    return [{ ...figures(date), strike_aggregates }]
  })
}

function contractsOf(
  k: number,
  chain: PricedChain,
  marks: Uint8Array,
  figures: (slot: number) => Figures
): readonly Figures[] {
  const { first, slots } = strikeNodes(chain)
  const kept: Figures[] = []
  for (let at = first[k]; at < first[k + 1]; at++) if (marks[slots[at]] !== 0) kept.push(figures(slots[at]))
  return kept
}

/**
 * Returns a function that reads all figures of a node (an expiration, strike or contract), by field key and rounded as
 * in responses.
 */
function figuresBy(
  fields: readonly ScreenerField[],
  figures: readonly ((at: number) => number)[]
): (at: number) => Figures {
  return (at) =>
    Object.fromEntries(
      fields.map(({ key, type, round, decode }, f) => {
        const held = figures[f](at)
        return [key, Number.isNaN(held) ? null : decode(type === 'number' ? round(held) : held)]
      })
    )
}
