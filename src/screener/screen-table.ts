import { compileFormula, formulaProblem, parseFormula } from './formula.ts'
import { quotedInput, ScreenProblem } from './screen-problem.ts'
import type { Operand, ScreenRequest } from './screen-request.ts'
import { type FieldTable, isOfRow, type Printed, type ScreenCaller, type ScreenerField } from './screener-field.ts'
import type { ScreenedRow } from './screener-row.ts'

/**
 * A column of a screen. `held` reads the stored figure of a row, which conditions compare; `printed` gives the value
 * for responses.
 */
export interface Column extends Pick<ScreenerField, 'type' | 'encode'> {
  readonly held: (row: number) => number
  readonly printed: (row: number) => Printed
}

/** The rows of a screen, with the columns and formulas that the caller may use. */
export interface ScreenTable {
  readonly rows: readonly ScreenedRow[]
  /**
   * Finds a field by name, whether of symbols, expirations, strikes, contracts or macro data. Throws if it does not
   * exist or the caller may not read it.
   */
  readonly field: (name: string, place: string) => ScreenerField
  readonly isAlias: (name: string) => boolean
  /** Finds the column of a stock field, a macro field or an alias. Throws if it does not exist. */
  readonly column: (name: string, place: string) => Column
  /**
   * Column for the left side of a condition. Throws for fields of expirations, strikes and contracts, which have no
   * column.
   */
  readonly operand: (operand: Operand, place: string) => Column
  /** Names of all columns: first the stock and macro fields that the caller may read, then the aliases. */
  readonly columns: readonly string[]
}

export interface ScreenTableOptions {
  readonly fields: FieldTable
  readonly rows: readonly ScreenedRow[]
  /** Values of the macro fields, in the order of the field table. */
  readonly macro: Float64Array
  readonly caller: ScreenCaller
}

export function tableOf(
  { formulas }: Pick<ScreenRequest, 'formulas'>,
  { fields, rows, macro, caller }: ScreenTableOptions
): ScreenTable {
  const stockPlaces = new Map(fields.stock.map((field, k) => [field.name, k]))
  const macroPlaces = new Map(fields.macro.map((field, k) => [field.name, k]))
  const aliases = new Map<string, Column>()

  const isReadable = ({ entitlement }: ScreenerField) => entitlement === undefined || caller.has(entitlement)

  function fieldNamed(name: string, place: string): ScreenerField {
    const field = fields.byName.get(name)
    if (field === undefined)
      throw new ScreenProblem('request', `${place}: there is no field ${quotedInput(name)}`, { place })
    if (!isReadable(field)) throw needsFullScreen(`the field ${name}`, place, caller)
    return field
  }

  function columnOf(field: ScreenerField): Column {
    if (field.name === 'symbol') return symbolColumn(rows)
    const { type, encode, decode } = field
    const at = stockPlaces.get(field.name)
    const level = at === undefined ? macro[macroPlaces.get(field.name)!] : Number.NaN
    const held = at === undefined ? () => level : (row: number) => rows[row].stock[at]
    const printed = (row: number) => {
      const value = held(row)
      return Number.isNaN(value) ? null : decode(value)
    }
    return { type, encode, held, printed }
  }

  function column(name: string, place: string): Column {
    const alias = aliases.get(name)
    if (alias !== undefined) return alias
    const field = fieldNamed(name, place)
    if (isOfRow(field)) return columnOf(field)
    throw new ScreenProblem('request', `${place}: ${name} is no column of a row`, { place })
  }

  function formulaName(name: string, position: number): Column['held'] {
    const alias = aliases.get(name)
    if (alias !== undefined) return alias.held
    const field = fields.byName.get(name)
    if (field === undefined) throw formulaProblem(`there is no field ${quotedInput(name)}`, position)
    if (!isOfRow(field)) throw formulaProblem(`${name} has no single figure for a symbol`, position)
    if (field.type !== 'number') throw formulaProblem(`${name} is a ${field.type}, not a number`, position)
    return columnOf(field).held
  }

  function formulaColumn(expression: string, place: string): Column {
    if (!caller.has('full_screen')) throw needsFullScreen('a formula', place, caller)
    const held = located(place, () => compileFormula(parseFormula(expression), formulaName))
    const printed = (row: number) => {
      const value = held(row)
      return Number.isNaN(value) ? null : value
    }
    return { type: 'number', encode: (value) => value as number, held, printed }
  }

  for (const { alias, expression, place } of formulas) {
    if (!caller.has('full_screen')) throw needsFullScreen('a formula', place, caller)
    if (fields.byName.has(alias)) throw taken(alias, 'a field', `${place}.alias`)
    if (aliases.has(alias)) throw taken(alias, 'another formula', `${place}.alias`)
    aliases.set(alias, formulaColumn(expression, `${place}.expression`))
  }
  const readable = [...fields.stock, ...fields.macro].filter(isReadable)
  return {
    rows,
    field: fieldNamed,
    isAlias: (name) => aliases.has(name),
    column,
    operand: (operand, place) =>
      'field' in operand
        ? column(operand.field, `${place}.field`)
        : (aliases.get(operand.formula) ?? formulaColumn(operand.formula, `${place}.formula`)),
    columns: [...readable.map(({ name }) => name), ...aliases.keys()]
  }
}

/** Runs `work` on a formula of the request. If it throws a `ScreenProblem`, the place of the formula is added to it. */
function located<Result>(place: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ScreenProblem)) throw error
    const { kind, message, position } = error
    throw new ScreenProblem(kind, `${place}: ${message}`, { place, position })
  }
}

/** Column of the symbols. A symbol is encoded as its index among the rows. */
function symbolColumn(rows: readonly ScreenedRow[]): Column {
  const places = new Map<unknown, number>(rows.map(({ symbol }, k) => [symbol, k]))
  return {
    type: 'string',
    encode: (value) => places.get(value) ?? Number.NaN,
    held: (row) => row,
    printed: (row) => rows[row].symbol
  }
}

export function needsFullScreen(what: string, place: string, { planWith }: ScreenCaller): ScreenProblem {
  const plan = planWith('full_screen')
  return new ScreenProblem('request', `${place}: ${what} needs the ${plan} plan or higher`, { place })
}

function taken(alias: string, by: string, place: string): ScreenProblem {
  return new ScreenProblem('request', `${place}: ${alias} is the name of ${by} already`, { place })
}
