import type { Parameter, Parameters } from '../../api/params.ts'
import type { SchemaNode } from '../../api/schema-node.ts'
import { wordsOf } from './widget-columns.ts'

/** A parameter of a widget of OpenBB Workspace. */
export interface WidgetParameter {
  readonly paramName: string
  readonly label: string
  readonly description: string
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'endpoint'
  /** What it is at first; null: left out of the request. */
  readonly value: string | number | boolean | null
  readonly show: true
  readonly options?: readonly Choice[]
  readonly optionsEndpoint?: string
}

/** One choice of a closed set. */
export interface Choice {
  readonly label: string
  readonly value: string
}

/** Where the choices of a symbol are, below the address of the service. */
export const symbolChoices = 'openbb/symbols'

/** The parameters of an endpoint. Those in its path are symbols; the program sends all of them in the query. */
export function widgetParameters(parameters: Parameters): readonly WidgetParameter[] {
  return Object.entries(parameters).map(([name, parameter]) => widgetParameter(name, parameter))
}

function widgetParameter(name: string, parameter: Parameter<unknown>): WidgetParameter {
  const schema = parameter.schema as SchemaNode & { readonly default?: string | number | boolean }
  const choices = schema.enum?.map((word) => ({ label: wordsOf(String(word)), value: String(word) }))
  const first = parameter.required ? parameter.example : (schema.default ?? null)
  const type = parameter.in === 'path' ? 'endpoint' : typeOf(schema)
  return {
    paramName: name,
    label: wordsOf(name),
    description: schema.description ?? wordsOf(name),
    type,
    value: type === 'number' && first !== null ? Number(first) : first,
    show: true,
    ...(choices !== undefined && { options: choices }),
    ...(type === 'endpoint' && { optionsEndpoint: symbolChoices })
  }
}

function typeOf({ type, format, enum: words }: SchemaNode): WidgetParameter['type'] {
  if (words !== undefined) return 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  return format === 'date' ? 'date' : 'text'
}
