import type { SchemaNode } from '../../api/schema-node.ts'

/** A column of a table of OpenBB Workspace. */
export interface WidgetColumn {
  /** Name of the field in a row; names joined by dots reach into an object. */
  readonly field: string
  readonly headerName: string
  readonly headerTooltip?: string
  readonly cellDataType: 'text' | 'number' | 'boolean' | 'dateString' | 'object'
  readonly formatterFn?: 'int' | 'percent' | 'normalizedPercent'
  readonly renderFn?: 'greenRed'
  readonly chartDataType: 'category' | 'series' | 'time' | 'excluded'
}

const formatters: Readonly<Record<string, WidgetColumn['formatterFn']>> = {
  percent: 'percent',
  fraction: 'normalizedPercent',
  contracts: 'int',
  shares: 'int',
  count: 'int',
  days: 'int'
}

/** Columns for the fields of a row. `key` is the field that tells rows apart; charts draw the others over it. */
export function columnsOf(row: SchemaNode, key: string | undefined): readonly WidgetColumn[] {
  const found = new Map<string, WidgetColumn>()
  for (const [path, node] of leavesOf(row)) {
    const field = path.join('.')
    if (!found.has(field)) found.set(field, columnOf(field, node, field === key))
  }
  return [...found.values()]
}

export function columnOf(field: string, node: SchemaNode, isKey: boolean): WidgetColumn {
  const [form = {}] = formsOf(node)
  const { 'x-unit': unit = '', minimum } = form as SchemaNode & { readonly minimum?: number }
  const tooltip = [unit, node.description ?? form.description ?? ''].filter((text) => text !== '').join('; ')
  const cellDataType = cellTypeOf(formsOf(node))
  const isFigure = cellDataType === 'number'
  const formatterFn = isFigure ? formatters[unit] : undefined
  const isSigned = isFigure && unit.startsWith('usd') && minimum === undefined
  return {
    field,
    headerName: wordsOf(field),
    ...(tooltip !== '' && { headerTooltip: tooltip }),
    cellDataType,
    ...(formatterFn !== undefined && { formatterFn }),
    ...(isSigned && { renderFn: 'greenRed' }),
    chartDataType: isKey ? (isTime(node) ? 'time' : 'category') : isFigure ? 'series' : 'excluded'
  }
}

/** A name of a field as words: call_wall is Call wall. */
export function wordsOf(name: string): string {
  const words = name.replace(/[._]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const isTime = (node: SchemaNode) =>
  formsOf(node).some(({ format }) => format === 'date' || format === 'date-time')

/** The forms that a value of a schema may have, without null. */
export function formsOf(node: SchemaNode): readonly SchemaNode[] {
  const among = node.anyOf ?? node.allOf
  return among === undefined ? (node.type === 'null' ? [] : [node]) : among.flatMap(formsOf)
}

/** The fields of an object that hold values or lists, with the names that lead to each. */
export function* leavesOf(
  node: SchemaNode,
  path: readonly string[] = []
): Generator<readonly [path: readonly string[], node: SchemaNode]> {
  for (const form of formsOf(node)) {
    for (const [name, field] of Object.entries(form.properties ?? {})) {
      const isObject = formsOf(field).some(({ properties }) => properties !== undefined)
      if (isObject) yield* leavesOf(field, [...path, name])
      else yield [[...path, name], field]
    }
  }
}

function cellTypeOf(forms: readonly SchemaNode[]): WidgetColumn['cellDataType'] {
  const types = new Set(forms.map(typeOf))
  const [only] = types
  return types.size === 1 ? only : 'text'
}

function typeOf({ type, format }: SchemaNode): WidgetColumn['cellDataType'] {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'array' || type === 'object') return 'object'
  return format === 'date' ? 'dateString' : 'text'
}
