import type { Macro } from '../../market/macro.ts'
import { inOneGo, type Steps } from '../../market/steps.ts'
import { sharedMemory } from '../../memory/shared-memory.ts'
import type { ScreenerField } from '../../screener/screener-field.ts'
import type { ScreenerRow } from '../../screener/screener-row.ts'
import { expiryFields, expirySubjects } from './expiry-fields.ts'
import { macroFields } from './macro-fields.ts'
import { stockFields } from './stock-fields.ts'
import { type RowInputs, screenerSubject } from './subject.ts'

/** Computes the screener row of a symbol and stores it in shared memory, with figures rounded as in responses. */
export function screenerRow(inputs: RowInputs): ScreenerRow {
  return inOneGo(screenerSteps(inputs))
}

export function* screenerSteps(inputs: RowInputs): Steps<ScreenerRow> {
  const { chain } = inputs
  const subject = screenerSubject(inputs)
  const stock = columnOf(stockFields.length)
  for (const [k, field] of stockFields.entries()) {
    yield
    stock[k] = heldBy(field, field.of(subject))
  }
  const dates = expirySubjects(chain)
  const expiries = columnOf(dates.length * expiryFields.length)
  for (const [k, expiry] of dates.entries()) {
    yield
    const from = k * expiryFields.length
    for (const [f, field] of expiryFields.entries()) expiries[from + f] = heldBy(field, field.of(expiry))
  }
  return { symbol: chain.symbol, asOf: chain.asOf, stock, expiries }
}

/** Column with the values of all macro fields, such as the VIX. */
export function macroColumn(macro: Macro): Float64Array {
  return Float64Array.from(macroFields, (field) => heldBy(field, field.of(macro)))
}

const columnOf = (length: number) => new Float64Array(sharedMemory(8 * length), 0, length)

function heldBy({ type, encode, round }: ScreenerField, value: number | string | boolean | undefined): number {
  if (value === undefined) return Number.NaN
  if (type !== 'number') return encode(value)
  return Number.isFinite(value) ? round(value as number) : Number.NaN
}
