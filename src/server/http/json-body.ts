import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { apiError, type ErrorCode } from '../../api/error.ts'
import { printable } from '../../api/params.ts'
import { hasKeyShape } from './key-mask.ts'

/**
 * Greatest nesting depth of a request body. No documented body is nested as deeply, and recursive code can handle it.
 */
const MAX_DEPTH = 32

interface BodyShape {
  readonly schema: TSchema
  /** Whether an empty body is read as an object without fields. */
  readonly optional?: true
  /** Error code for a body that is not JSON. */
  readonly code?: ErrorCode
}

/**
 * Parses the JSON body of a request. Throws an error that says what is wrong with it. An optional field with the value
 * null counts as absent, because many clients send every field they know.
 */
export function readJson(request: FastifyRequest, { schema, optional, code = 'invalid_body' }: BodyShape): unknown {
  const body = request.body as Buffer | undefined
  if (body === undefined || body.length === 0) {
    if (optional) return {}
    throw apiError(code, 'the body is empty: send a JSON object')
  }
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) {
    throw apiError(code, 'the body must be sent as content type application/json')
  }
  const text = body.toString('utf8')
  if (depthOf(text) > MAX_DEPTH) throw apiError(code, `the body is nested deeper than ${MAX_DEPTH} levels`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    // The parser's message quotes the text near the error, which may be part of a key.
    const where = hasKeyShape(text) ? '' : `: ${printable((error as Error).message, 120)}`
    throw apiError(code, `the body is not JSON${where}`)
  }
  return withoutNulls(json, schema)
}

/** The parts of a JSON Schema that tell which fields may be absent. */
interface Shape {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** Removes optional fields that are null, unless the schema allows null. */
function withoutNulls(json: unknown, { properties, required = [], items }: Shape): unknown {
  if (Array.isArray(json)) return items === undefined ? json : json.map((item) => withoutNulls(item, items))
  if (json === null || typeof json !== 'object' || properties === undefined) return json
  const kept = Object.entries(json).flatMap(([name, value]) => {
    const shape = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (shape === undefined) return [[name, value] as const]
    if (value === null && !required.includes(name) && !takesNull(shape)) return []
    return [[name, withoutNulls(value, shape)] as const]
  })
  return Object.fromEntries(kept)
}

function takesNull({ type, anyOf = [] }: Shape): boolean {
  return type === 'null' || anyOf.some(takesNull)
}

/** Nesting depth of the brackets in a JSON text. Brackets inside strings do not count. */
function depthOf(text: string): number {
  let depth = 0
  let most = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (quoted) {
      if (c === '\\') i++
      else if (c === '"') quoted = false
    } else if (c === '"') quoted = true
    else if (c === '[' || c === '{') most = Math.max(most, ++depth)
    else if (c === ']' || c === '}') depth--
  }
  return most
}
