import type { PricedChain } from '../pricing/price-chain.ts'
import { chainTree, strikeNodes } from './chain-tree.ts'
import { type FigureTest, roundedTestOf, testOf } from './condition-test.ts'
import type { Filter, Group, Leaf } from './screen-request.ts'
import type { ScreenTable } from './screen-table.ts'
import { type ContractField, type FieldTable, isOfRow, type ScreenerField, type StrikeField } from './screener-field.ts'
import type { ScreenedRow } from './screener-row.ts'

/**
 * Part of a symbol that a filter keeps: everything (true), nothing (false), or the contracts whose slots are marked. A
 * strike is kept if one of its contracts is kept, an expiration if one of its strikes is.
 */
export type Kept = boolean | Uint8Array
export type RowFilter = (row: number) => Kept

/** Removes the marks of those contracts of a symbol that do not meet a condition. */
type Trim = (row: ScreenedRow, chain: PricedChain, marks: Uint8Array) => void

/**
 * Turns a filter into a function of a row. In a group joined by "and", all conditions on expirations, strikes and
 * contracts must hold for the same contract. In a group joined by "or", each branch is tested separately, and a
 * contract is kept if any branch keeps it. A group inside another group counts like one of its conditions.
 */
export function compileFilter(filter: Filter, table: ScreenTable, fields: FieldTable): RowFilter {
  return compileGroup('op' in filter ? filter : { op: 'and', conditions: [filter] }, table, fields)
}

function compileGroup(group: Group, table: ScreenTable, fields: FieldTable): RowFilter {
  const ofRows: RowFilter[] = []
  const trims: Trim[] = []
  const inner: RowFilter[] = []
  for (const condition of group.conditions) {
    if ('op' in condition) inner.push(compileGroup(condition, table, fields))
    else if (isRowLeaf(condition, table)) ofRows.push(rowTest(condition, table))
    else trims.push(trimOf(condition, table, fields))
  }
  if (group.op === 'and') return allOf(table, [...ofRows, ...inner], trims)
  return anyOf([...ofRows, ...inner, ...trims.map((trim) => allOf(table, [], [trim]))])
}

/**
 * Combines filters and conditions that must all hold. Conditions on contracts take most time, so they are tested last,
 * and only if all else holds.
 */
function allOf({ rows }: ScreenTable, filters: readonly RowFilter[], trims: readonly Trim[]): RowFilter {
  return (row) => {
    let kept: Kept = true
    for (const filter of filters) {
      const left = filter(row)
      if (left === false) return false
      if (left === true) continue
      kept = kept === true ? left : intersection(kept as Uint8Array, left)
    }
    if (trims.length === 0) return kept === true || isAnyMarked(kept as Uint8Array) ? kept : false
    const { chain } = rows[row]
    if (chain === undefined) return false
    const marks = kept === true ? liveMarks(chain) : kept
    for (const trim of trims) trim(rows[row], chain, marks as Uint8Array)
    return isAnyMarked(marks as Uint8Array) ? marks : false
  }
}

function anyOf(filters: readonly RowFilter[]): RowFilter {
  return (row) => {
    let kept: Kept = false
    for (const filter of filters) {
      const left = filter(row)
      if (left === true) return true
      if (left === false) continue
      kept = kept === false ? left : union(kept as Uint8Array, left)
    }
    return kept
  }
}

function isRowLeaf(leaf: Leaf, table: ScreenTable): boolean {
  if (!('field' in leaf)) return true
  return table.isAlias(leaf.field) || isOfRow(table.field(leaf.field, `${leaf.place}.field`))
}

function rowTest(leaf: Leaf, table: ScreenTable): RowFilter {
  const column = table.operand(leaf, leaf.place)
  const test = testOf(leaf, column)
  return (row) => test(column.held(row))
}

function trimOf(leaf: Leaf, table: ScreenTable, fields: FieldTable): Trim {
  const { field: name } = leaf as Leaf & { readonly field: string }
  const field = table.field(name, `${leaf.place}.field`)
  if (field.level === 'expiries')
    return trimExpirations(fields.expiries.indexOf(field), fields.expiries.length, testOf(leaf, field))
  const test = roundedTestOf(leaf, field)
  return isOfStrikes(field) ? trimStrikes(field, test) : trimContracts(field as ContractField, test)
}

const isOfStrikes = (field: ScreenerField): field is StrikeField => field.level === 'strikes'

function trimExpirations(at: number, width: number, test: FigureTest): Trim {
  return ({ expiries }, chain, marks) => {
    for (const { start, end, date } of chainTree(chain).ranges) {
      if (!test(expiries[date * width + at])) marks.fill(0, start, end)
    }
  }
}

function trimStrikes({ ofStrike }: StrikeField, test: FigureTest): Trim {
  return (_row, chain, marks) => {
    const nodes = strikeNodes(chain)
    const { first, slots, strike } = nodes
    const figure = ofStrike(chain, nodes)
    for (let k = 0; k < strike.length; k++) {
      if (!test(figure(k))) for (let at = first[k]; at < first[k + 1]; at++) marks[slots[at]] = 0
    }
  }
}

function trimContracts({ ofContract }: ContractField, test: FigureTest): Trim {
  return (_row, chain, marks) => {
    const figure = ofContract(chain)
    for (const { start, end } of chainTree(chain).ranges) {
      for (let i = start; i < end; i++) if (marks[i] !== 0 && !test(figure(i))) marks[i] = 0
    }
  }
}

export function liveMarks(chain: PricedChain): Uint8Array {
  const marks = new Uint8Array(chain.size)
  for (const { start, end } of chainTree(chain).ranges) marks.fill(1, start, end)
  return marks
}

const isAnyMarked = (marks: Uint8Array) => marks.includes(1)

function intersection(a: Uint8Array, b: Uint8Array): Uint8Array {
  for (let i = 0; i < a.length; i++) a[i] &= b[i]
  return a
}

function union(a: Uint8Array, b: Uint8Array): Uint8Array {
  for (let i = 0; i < a.length; i++) a[i] |= b[i]
  return a
}
