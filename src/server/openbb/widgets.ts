import type { Endpoint } from '../../api/endpoint.ts'
import type { SchemaNode } from '../../api/schema-node.ts'
import { type RowArray, rowArraysOf } from '../openapi/row-arrays.ts'
import type { ChartFigure } from '../udf/udf-symbols.ts'
import { contentOf, type WidgetContent } from './contents.ts'
import { lineColumns } from './lines.ts'
import { columnsOf, formsOf, type WidgetColumn } from './widget-columns.ts'
import { type WidgetParameter, widgetParameters } from './widget-parameters.ts'

/**
 * An entry of widgets.json, as OpenBB Workspace reads it. Its id is the endpoint with underscores, which is how that
 * program names a widget in layouts.
 */
export interface Widget {
  readonly name: string
  readonly description: string
  readonly category: 'gammawall'
  readonly subCategory: string
  readonly source: readonly ['gammawall']
  readonly type: 'table' | 'metric' | 'markdown' | 'advanced_charting'
  readonly endpoint: string
  readonly gridData: { readonly w: number; readonly h: number }
  readonly params: readonly WidgetParameter[]
  /** Milliseconds after which the program asks again. Each time is a request of the quota. */
  readonly refetchInterval: number
  readonly data?: {
    readonly dataKey?: string
    readonly table?: {
      readonly showAll: true
      readonly enableCharts: true
      readonly chartView?: { readonly enabled: true; readonly chartType: 'line' }
      readonly columnsDefs: readonly WidgetColumn[]
    }
    readonly defaultSymbol?: string
    readonly updateFrequency?: number
  }
}

/** A widget, and how what it shows is made from the answer of an endpoint. */
export interface DeclaredWidget {
  readonly name: string
  readonly endpoint: Endpoint
  readonly content: WidgetContent
  readonly widget: Widget
}

const MINUTE = 60_000
const sizes = { table: { w: 20, h: 12 }, metric: { w: 20, h: 8 }, markdown: { w: 20, h: 8 } } as const

/**
 * The widgets of all endpoints that a program can ask by an address alone: a table for each array of rows and for each
 * answer of columns over time, the sentences of an answer as text, and the figures of an answer without rows.
 */
export function declaredWidgets(
  endpoints: readonly Endpoint[],
  figures: readonly ChartFigure[]
): readonly DeclaredWidget[] {
  return endpoints.filter(isShown).flatMap((endpoint) => widgetsOf(endpoint, figures))
}

/** Left out are bodies, which an address cannot hold, answers about the account of a key, and what is only announced. */
const isShown = ({ body, keyPlace, errors }: Endpoint) =>
  body === undefined && keyPlace !== 'header' && !errors.includes('coming_soon')

function widgetsOf(endpoint: Endpoint, figures: readonly ChartFigure[]): readonly DeclaredWidget[] {
  const lines = lineColumns(endpoint, figures)
  const rows = lines === undefined ? distinctRows(endpoint) : []
  const hasSentences = contentOf.text.isIn(endpoint.response as SchemaNode)
  return [
    ...rows.map((array) => tableOf(endpoint, array, rows.length)),
    ...(lines === undefined ? [] : [linesOf(endpoint, lines)]),
    ...(rows.length === 0 && lines === undefined ? [plainOf(endpoint, 'figures', 'metric')] : []),
    ...(hasSentences ? [plainOf(endpoint, 'text', 'markdown')] : [])
  ]
}

/** Arrays of rows by their place; two shapes of an answer may have one in the same place. */
function distinctRows({ response }: Endpoint): readonly RowArray[] {
  const all = rowArraysOf(response as never, {})
  return [...new Map(all.map((array) => [array.path, array])).values()]
}

function tableOf(endpoint: Endpoint, { path, key }: RowArray, count: number): DeclaredWidget {
  const row = rowSchema(endpoint.response as SchemaNode, path === '' ? [] : path.split('.'))
  const columnsDefs = columnsOf(row, key)
  const place = path.split('.')
  const last = place.at(-1)!
  const isOverTime = columnsDefs.some(({ chartDataType }) => chartDataType === 'time')
  return declared(endpoint, {
    suffix: path === '' ? 'rows' : place.join('_'),
    title: count > 1 ? `${endpoint.summary}: ${place.join(' ').replaceAll('_', ' ')}` : endpoint.summary,
    type: 'table',
    content: { kind: 'rows', place: path === '' ? [] : place },
    data: {
      ...(path !== '' && { dataKey: last }),
      table: { showAll: true, enableCharts: true, ...(isOverTime && asLines), columnsDefs }
    }
  })
}

const asLines = { chartView: { enabled: true, chartType: 'line' } } as const

function linesOf(endpoint: Endpoint, columnsDefs: readonly WidgetColumn[]): DeclaredWidget {
  return declared(endpoint, {
    suffix: 'lines',
    title: endpoint.summary,
    type: 'table',
    content: { kind: 'lines' },
    data: { table: { showAll: true, enableCharts: true, ...asLines, columnsDefs } }
  })
}

function plainOf(endpoint: Endpoint, kind: 'figures' | 'text', type: 'metric' | 'markdown'): DeclaredWidget {
  return declared(endpoint, { suffix: kind, title: endpoint.summary, type, content: { kind } })
}

interface Part {
  readonly suffix: string
  readonly title: string
  readonly type: 'table' | 'metric' | 'markdown'
  readonly content: WidgetContent
  readonly data?: Widget['data']
}

function declared(endpoint: Endpoint, { suffix, title, type, content, data }: Part): DeclaredWidget {
  const { id, tag, summary, description, plan, params, stream } = endpoint
  const name = `${id}_${suffix}`.replaceAll('.', '_')
  const about = `${description === '' ? `${summary}.` : description} Least plan: ${plan}.`
  const widget: Widget = {
    name: title,
    description: about,
    category: 'gammawall',
    subCategory: tag,
    source: ['gammawall'],
    type,
    endpoint: `openbb/${name}`,
    gridData: sizes[type],
    params: widgetParameters(params),
    refetchInterval: (stream ? 1 : 15) * MINUTE,
    ...(data !== undefined && { data })
  }
  return { name, endpoint, content, widget }
}

/** Schema of the rows at a place of an answer. */
function rowSchema(node: SchemaNode, [name, ...rest]: readonly string[]): SchemaNode {
  const forms = formsOf(node)
  if (name !== undefined) {
    const fields = forms.map(({ properties }) => properties?.[name]).filter((field) => field !== undefined)
    return rowSchema({ anyOf: fields }, rest)
  }
  return { anyOf: forms.map(({ items }) => items).filter((items) => items !== undefined) }
}

/** Chart of prices, figures and alerts, drawn by the datafeed of charts. */
export const chartWidget: Widget = {
  name: 'Chart of prices and figures',
  description:
    'Bars of a symbol, or a figure of its options over time: SPY:gamma_flip. Fired alerts and reports are marks. Least plan: free.',
  category: 'gammawall',
  subCategory: 'insight',
  source: ['gammawall'],
  type: 'advanced_charting',
  endpoint: '/udf',
  gridData: { w: 40, h: 16 },
  params: [],
  refetchInterval: MINUTE,
  data: { defaultSymbol: 'SPY', updateFrequency: MINUTE }
}

/** Content of widgets.json: widgets by id. */
export function widgetsById(widgets: readonly DeclaredWidget[]): Readonly<Record<string, Widget>> {
  const entries = widgets.map(({ widget }) => [idOf(widget.endpoint), widget] as const)
  return { [idOf(chartWidget.endpoint)]: chartWidget, ...Object.fromEntries(entries) }
}

export const idOf = (endpoint: string) => endpoint.replace(/^\//, '').replaceAll('/', '_')
