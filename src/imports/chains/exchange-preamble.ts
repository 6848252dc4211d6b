import { numberIn } from '../tables/number-forms.ts'
import { stampIn } from '../tables/table-times.ts'
import { noForms } from '../tables/written-forms.ts'
import type { StatedFacts } from './stated-facts.ts'

/** Reads what the lines before a heading state about all rows of a table. */
export type PreambleReader = (lines: readonly (readonly string[])[]) => StatedFacts

/**
 * Reads spot, quote and moment above the exchange's quote table. Since 2018: `Last: 100.00`, `Bid: 99.99`, `Date: March
 * 5, 2024 at 4:00 PM EST`; before: the name, the last price and its change in one line, then `Jun 07 2018 @ 15:45 ET,
 * Bid,2752.11,Ask,2753.62`.
 */
export const exchangePreamble: PreambleReader = (lines) => {
  const cells = lines.flat().map((cell) => cell.trim())
  const numberAfter = (name: string) => {
    const at = cells.findIndex((cell) => new RegExp(`^${name}:?\\b`, 'i').test(cell))
    if (at < 0) return undefined
    const text = cells[at].slice(name.length).replace(/^:/, '').trim()
    return positive(text === '' ? (cells[at + 1] ?? '') : text)
  }
  const named = lines.find((line) => line.length > 1)
  const stamp = cells.map((cell) => stampIn(cell.replace(/^Date: */i, ''), noForms)).find((each) => each !== undefined)
  return {
    price: numberAfter('Last') ?? positive(named?.[1] ?? ''),
    bid: numberAfter('Bid'),
    ask: numberAfter('Ask'),
    stamp
  }
}

function positive(text: string): number | undefined {
  const value = numberIn(text)
  return value !== undefined && value > 0 ? value : undefined
}
