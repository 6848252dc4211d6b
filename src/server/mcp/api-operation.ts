import type { TSchema } from 'typebox'
import type { Endpoint } from '../../api/endpoint.ts'
import type { Parameters } from '../../api/params.ts'
import type { SchemaNode } from '../../api/schema-node.ts'

/** One request of the HTTP API as a tool offers it. Made from an endpoint, or from a route of alerts. */
export interface ApiOperation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly tag: string
  /** Name of the tool if it is not that of the tag. */
  readonly tool: string | undefined
  readonly summary: string
  readonly description: string
  /** Lowest plan that may ask. */
  readonly plan: string
  readonly params: Parameters
  readonly body: { readonly schema: SchemaNode; readonly example: unknown } | undefined
  readonly response: SchemaNode
  /** Whether it answers about past moments too. */
  readonly replay: boolean
  /** Whether it changes something of the caller. */
  readonly writes: boolean
}

export function operationOf(endpoint: Endpoint): ApiOperation {
  const { id, path, tag, tool, summary, description, plan, params, body, response, replay } = endpoint
  return {
    id,
    method: body === undefined ? 'GET' : 'POST',
    path,
    tag,
    tool,
    summary,
    description,
    plan,
    params,
    body: body && { schema: body.schema as SchemaNode, example: body.example },
    response: response as SchemaNode,
    replay,
    writes: false
  }
}

/** A route that manages what belongs to the caller, such as alerts. */
export interface OwnRoute {
  readonly method: ApiOperation['method']
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly params: Parameters
  readonly body?: { readonly schema: TSchema; readonly example: unknown }
  readonly response: TSchema
}

/** The operation of a route of alerts. `view` is its word in the tool; fields in `without` are not offered in its body. */
export function operationOfRoute(route: OwnRoute, view: string, without: readonly string[] = []): ApiOperation {
  const { method, path, summary, description, params, body, response } = route
  const offered = ([name]: readonly [string, unknown]) => !without.includes(name)
  const schema = body && (body.schema as SchemaNode)
  return {
    id: `alerts.${view}`,
    method,
    path,
    tag: 'alerts',
    tool: undefined,
    summary,
    description,
    plan: 'free',
    params,
    body: body &&
      schema && {
        schema: { ...schema, properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(offered)) },
        example: Object.fromEntries(Object.entries(body.example as object).filter(offered))
      },
    response: response as SchemaNode,
    replay: false,
    writes: method !== 'GET'
  }
}
