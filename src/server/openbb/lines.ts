import type { Endpoint } from '../../api/endpoint.ts'
import type { SchemaNode } from '../../api/schema-node.ts'
import type { ChartFigure } from '../udf/udf-symbols.ts'
import { columnOf, type WidgetColumn } from './widget-columns.ts'

const CSV = 'text/csv'

/**
 * Columns of an answer that is also written as CSV because it has columns over time: first the time, then its figures,
 * those of the parameter `fields` as they are without it. Undefined for other endpoints.
 */
export function lineColumns(endpoint: Endpoint, figures: readonly ChartFigure[]): readonly WidgetColumn[] | undefined {
  const { forms, formWanted, response, params } = endpoint
  const form = forms.find(({ type }) => type === CSV)
  if (form === undefined || formWanted !== undefined) return undefined
  const { default: usual = '' } = (params['fields']?.schema ?? {}) as { readonly default?: string }
  const columns = Object.fromEntries(usual.split(',').flatMap((name) => (name === '' ? [] : [[name, []]])))
  const empty = { ...emptyOf(response as SchemaNode), columns }
  const heading = new TextDecoder().decode(form.write(empty as never, 'utc', {} as never)).trim()
  return heading.split(',').map((name, k) => {
    const figure = figures.find((one) => one.name === name)
    if (k === 0) return columnOf(name, { type: 'string', format: 'date-time' }, true)
    return columnOf(name, { type: 'number', ...(figure !== undefined && { 'x-unit': figure.unit }) }, false)
  })
}

/** An answer without rows. */
function emptyOf({ properties = {} }: SchemaNode): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, type === 'array' ? [] : type === 'object' ? {} : null])
  )
}

/** Rows of CSV as our answers write it: a heading, times and numbers. An empty cell is null. */
export function rowsOfCsv(text: string): readonly object[] {
  const [heading, ...lines] = text.trim().split('\n')
  const names = heading.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(names.map((name, k) => [name, cellOf(cells[k], k)]))
  })
}

function cellOf(text: string, column: number): string | number | null {
  if (text === '') return null
  return column === 0 ? text : Number(text)
}
