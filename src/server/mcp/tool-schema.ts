import type { SchemaNode } from '../../api/schema-node.ts'
import type { ApiOperation } from './api-operation.ts'
import type { Tool, View } from './toolbox.ts'

/** JSON Schema of one argument, inside what common model interfaces accept: no composition, no references. */
export interface ArgumentSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly items?: ArgumentSchema
}

/** Arguments of every tool, beside those of its views. The instructions say what `part` and `rows` do. */
export const control = {
  at: { type: 'string', description: 'New York, yyyy-MM-ddTHH:mm:ss' },
  detail: { type: 'string', enum: ['brief', 'full'] },
  part: { type: 'string', description: 'a field alone: strikes[640]' },
  rows: { type: 'integer' },
  from_row: { type: 'integer' }
} as const satisfies Readonly<Record<string, ArgumentSchema>>

export const controlNames = ['view', ...Object.keys(control)] as const

/** Parameters of the API that have one name in all tools. */
const oneName: Readonly<Record<string, string>> = { ticker: 'symbol', expiry: 'expiration' }

export const argumentNameOf = (parameter: string): string => oneName[parameter] ?? parameter

/** Longest description of an argument in the list of tools, characters. What is longer stands in the answer of describe. */
const MAX_DESCRIPTION = 26

/** Arguments of a view by name, each with its parameter of the API or field of its body. */
export function argumentsOf({ params, body }: ApiOperation): ReadonlyMap<string, TakenArgument> {
  const taken = new Map<string, TakenArgument>()
  for (const [name, parameter] of Object.entries(params)) {
    // A later parameter of the same argument is the other name of the first: expiry and expiration.
    const argument = argumentNameOf(name)
    if (!taken.has(argument)) {
      const { required, schema, in: place, example } = parameter
      taken.set(argument, { name, place, required, schema: schema as SchemaNode, example })
    }
  }
  for (const [name, schema] of Object.entries(body?.schema.properties ?? {})) {
    const required = body!.schema.required?.includes(name) ?? false
    const example = (body!.example as Readonly<Record<string, unknown>>)[name]
    taken.set(name, { name, place: 'body', required, schema, example })
  }
  return taken
}

export interface TakenArgument {
  /** Name in the API. */
  readonly name: string
  readonly place: 'path' | 'query' | 'body'
  readonly required: boolean
  readonly schema: SchemaNode
  readonly example: unknown
}

/** Input schema of a tool: its view, the arguments of all views, and those of the tool itself. */
export function inputSchemaOf({ views }: Tool, { isPast = false } = {}) {
  const properties: Record<string, ArgumentSchema> = { view: viewSchema(views) }
  for (const { operation } of views) {
    for (const [name, { schema, place }] of argumentsOf(operation)) {
      const declared = place === 'body' ? bodySchema(schema) : plain(schema)
      const known = properties[name]
      properties[name] = known === undefined ? declared : both(known, declared)
    }
  }
  const reads = views.some(({ operation }) => !operation.writes)
  const own = reads ? control : {}
  return {
    type: 'object',
    properties: { ...properties, ...own },
    required: isPast ? ['view', 'at'] : ['view'],
    additionalProperties: false
  } as const
}

function viewSchema(views: readonly View[]): ArgumentSchema {
  return { type: 'string', enum: views.map(({ word }) => word), description: 'describe explains each' }
}

function plain({ type, enum: words, description }: SchemaNode): ArgumentSchema {
  return {
    ...(type !== undefined && { type }),
    ...(words === undefined ? described(description) : { enum: words })
  }
}

/** A field of a request body: its type alone, since describe shows an example of the whole. */
function bodySchema({ type, items, description }: SchemaNode): ArgumentSchema {
  return {
    ...(type !== undefined && { type }),
    ...(items !== undefined && { items: items.type === undefined ? {} : { type: items.type } }),
    ...described(description)
  }
}

/** What an argument means if that is short, without the range before it: a refusal states the range. */
function described(text = ''): { readonly description?: string } {
  const plainly = text.replace(/^an? (whole )?number[^:]*: /, '').replace(/ \(values outside.*$/, '')
  const description = plainly.replace(/^a ticker:.*$/, 'ticker').replace(/^a date, (yyyy-MM-dd), or the word/, '$1 or')
  return description === '' || description.length > MAX_DESCRIPTION ? {} : { description }
}

/** The schema of an argument that two views take differently: whatever either takes. */
function both(a: ArgumentSchema, b: ArgumentSchema): ArgumentSchema {
  const { enum: words, type = b.type, ...rest } = a
  const joined = words !== undefined && b.enum !== undefined ? [...new Set([...words, ...b.enum])] : undefined
  const isOneType = b.type === undefined || type === b.type
  return { ...(isOneType && type !== undefined && { type }), ...(joined !== undefined && { enum: joined }), ...rest }
}

/** A text up to a length, cut at a word. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  const cut = text.slice(0, longest - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), longest / 2)).replace(/[,;:]$/, '')}…`
}
