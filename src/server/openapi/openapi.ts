import type { TSchema } from 'typebox'
import { deprecationText } from '../../api/deprecation.ts'
import { type Endpoint, isAnsweredInPlace, isKept } from '../../api/endpoint.ts'
import type { ErrorCode } from '../../api/error.ts'
import { inputNamed, readsMarket, readsTapes } from '../../api/inputs/inputs.ts'
import type { Parameters } from '../../api/params.ts'
import { mediaTypes, tableParameters } from '../../api/rows/table-parameters.ts'
import { answerName, schemaNames } from '../../api/schema-names.ts'
import {
  errorResponses,
  errorSchemas,
  headersOf,
  jsonOf,
  notModified,
  type Piece,
  rateLimitHeaders,
  refOf,
  sharedResponses
} from './errors.ts'
import { withExamples, withNamedBodies } from './named-bodies.ts'
import { operationText } from './operation-text.ts'
import { systemPaths } from './system.ts'

export interface OpenApiOptions {
  readonly version: string
  readonly extraPaths?: Readonly<Record<string, Piece>>
  readonly extraHeaders?: Readonly<Record<string, Piece>>
}

const tagDescriptions: Readonly<Record<string, string>> = {
  'market-data': 'Quotes of stocks and of option contracts.',
  exposure: 'Dealer gamma, delta, vanna and charm exposure, levels and what follows from them.',
  flow: 'What the prints of the session did: estimated positions, signals, tape sums, same-day flow.',
  earnings: 'Reports of companies: calendar, implied move, fall of volatility, premium and dealers around them.',
  strategies: 'Signals: decisions made of the measures, with the structures that follow from them.',
  volatility: 'Realized, implied and forecast volatility, smiles, skew, surfaces and execution quality.',
  pricing: 'Calculators: prices, greeks, implied volatility and sizing from the figures of the request alone.',
  structures: 'Multi-leg structures: P&L and greeks from the legs of the request.',
  insight: 'What a figure rests on and how it moved: figures over a stretch of time.',
  bulk: 'Answers of many symbols and moments as one table.',
  screener: 'Filters, rankings and formulas over every loaded symbol.',
  reference: 'What is known: tickers, expirations, strikes, symbols held.',
  account: 'The caller.',
  alerts: 'Rules on metrics of the stream, what they fired, and the webhooks it is sent to.',
  documents: 'Watchlists and settings that the caller keeps for the pages of the service.',
  system: 'The service itself; no key is needed.',
  admin: 'Users, keys, plans and the audit trail. Needs an Enterprise key and uses no quota.'
}

const description = `Options exposure analytics from the operator's own market data.

Send the key in the \`X-Api-Key\` header or as \`Authorization: Bearer\`, or in the query as \`apiKey\` where a header cannot be
set; a header wins. Routes of accounts, alerts, documents and administration take a header alone.
Every operation names the least plan in \`x-plan\`; some of its parameters ask for more, and a 403 names the plan that
would do. Percent fields carry 18.45 for 18.45 %, fraction fields 0.1845: \`x-unit\` says which. Figures are rounded to
\`x-decimals\` decimals or \`x-significant\` digits. Null means that there is no such figure, never zero.

An index may be written SPX, ^SPX, .SPX, $SPX or I:SPX. Where a parameter is \`expiration\` it may be named \`expiry\`, and the
other way round. A name nearly that of a parameter is refused; others are ignored and listed in \`X-Ignored-Parameters\`.

Every answer can be had as a table too: \`format=csv\` or \`format=arrow\`, or \`Accept: text/csv\` or
\`application/vnd.apache.arrow.stream\`. \`rows\` names the array whose elements are the rows, \`flat\` the figures of the answer
itself. The columns depend on the operation and \`rows\` alone; errors stay JSON.`

/** Headers of a deprecated operation. */
const endHeaders: Readonly<Record<string, Piece>> = {
  Deprecation: {
    description: 'the day since which the operation is deprecated, as Unix seconds after an at sign (RFC 9745)',
    schema: { type: 'string', pattern: '^@[0-9]+$' }
  },
  Sunset: {
    description: 'the day from which the operation may be gone, as a date of HTTP (RFC 8594)',
    schema: { type: 'string' }
  }
}

const headers: Readonly<Record<string, Piece>> = {
  'X-RateLimit-Limit': {
    description: 'requests a day, or the word unlimited',
    schema: { type: 'string', pattern: '^(unlimited|[0-9]+)$' }
  },
  'X-RateLimit-Remaining': {
    description: 'requests left today, or the word unlimited',
    schema: { type: 'string', pattern: '^(unlimited|[0-9]+)$' }
  },
  'X-RateLimit-Reset': {
    description: 'Unix seconds of the next reset, 00:00 UTC',
    schema: { type: 'integer' }
  },
  'Retry-After': { description: 'seconds until a new try makes sense', schema: { type: 'integer', minimum: 0 } },
  ETag: { description: 'send it back in If-None-Match to learn that nothing has changed', schema: { type: 'string' } },
  'X-Data-Source': {
    description: 'where the market data comes from; synthetic is made up',
    schema: { type: 'string' }
  },
  'X-Data-Age': {
    description: 'age of the oldest snapshot behind the answer, seconds',
    schema: { type: 'number', minimum: 0 }
  },
  'X-Data-Quality': {
    description: 'score of /v1/quality of the chain behind the answer, 0 to 100; absent where it is made of none',
    schema: { type: 'integer', minimum: 0, maximum: 100 }
  },
  'X-Ignored-Parameters': {
    description: 'names of the query that no parameter of this operation has; absent where there is none',
    schema: { type: 'string' }
  },
  'X-Flow-Partial': {
    description:
      'what the prints behind the answer cover while they are still being read: session=0.031, since=2026-07-29T15:58:00.000Z for the share of the session so far and its first moment, or symbols=0.400 for the share of the symbols; absent once all are there',
    schema: { type: 'string' }
  },
  'X-Flow-Source': {
    description:
      'where the prints behind the answer come from; settled: no print is known, only the volume at the close of the session; none: there is no tape of this symbol and session',
    schema: { type: 'string', enum: ['recorded', 'inferred', 'synthetic', 'settled', 'none'] }
  },
  'X-Data-Stale': {
    description: 'true when the data is older than its source promises, see X-Data-Age; absent otherwise',
    schema: { type: 'string', const: 'true' }
  }
}

/**
 * Builds the OpenAPI 3.1 document of the API from the declarations of its endpoints. Their schemas are JSON Schema and
 * are used unchanged.
 */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  { version, extraPaths = {}, extraHeaders = {} }: OpenApiOptions
): object {
  const paths: Record<string, Piece> = { ...systemPaths, ...extraPaths }
  const names = schemaNames()
  for (const [name, schema] of Object.entries(errorSchemas)) names.add(name, schema)
  for (const endpoint of endpoints) {
    names.add(answerName(endpoint), endpoint.response)
    const method = endpoint.body === undefined ? 'get' : 'post'
    for (const [index, path] of [endpoint.path, ...endpoint.aliases].entries()) {
      if (index > 0 && Object.keys(paths).some((listed) => areAmbiguous(listed, path))) continue
      paths[path] = { [method]: operationOf(endpoint, index, Object.keys(extraHeaders)) }
    }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'gammawall',
      version,
      description,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }
    },
    servers: [{ url: '/' }],
    security: anyKey,
    tags: tagsOf(paths),
    paths: withExamples(withNamedBodies(paths, names)),
    components: {
      securitySchemes: {
        ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        ApiKeyBearer: { type: 'http', scheme: 'bearer' },
        ApiKeyQuery: { type: 'apiKey', in: 'query', name: 'apiKey' }
      },
      headers: { ...headers, ...(endpoints.some(({ deprecated }) => deprecated) && endHeaders), ...extraHeaders },
      responses: sharedResponses,
      schemas: names.schemas
    }
  }
  return JSON.parse(JSON.stringify(document)) // plain JSON, without hidden fields that TypeBox adds
}

/** Security of operations that take no key in their address. */
export const keyInHeader: readonly Piece[] = [{ ApiKeyHeader: [] }, { ApiKeyBearer: [] }]
const anyKey: readonly Piece[] = [...keyInHeader, { ApiKeyQuery: [] }]

/**
 * Whether an address can belong to two paths of which neither is the more exact one, which OpenAPI forbids. For example,
 * /v1/surface/svi/svi is both /v1/surface/{symbol}/svi and /v1/surface/svi/{symbol}.
 */
function areAmbiguous(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => path.split('/'))
  if (a.length !== b.length) return false
  const isOpen = (segment: string) => segment.startsWith('{')
  const differ = a.map((segment, i) => [segment, b[i]]).filter(([x, y]) => x !== y && !(isOpen(x) && isOpen(y)))
  return (
    differ.some(([x]) => isOpen(x)) &&
    differ.some(([, y]) => isOpen(y)) &&
    differ.every(([x, y]) => isOpen(x) || isOpen(y))
  )
}

/**
 * Whether requests to an endpoint are checked for a key. True for all endpoints except public ones that ignore keys.
 */
const keyed = ({ plan, keys }: Endpoint) => plan !== 'public' || keys === 'counted'

/** All tags that the paths use. Tags with a declared position come first. */
function tagsOf(paths: Readonly<Record<string, Piece>>): readonly Piece[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item)) as readonly { tags?: string[] }[]
  const used = new Set(operations.flatMap(({ tags = [] }) => tags))
  const known = Object.keys(tagDescriptions).filter((name) => used.has(name))
  const names = [...known, ...[...used].filter((name) => !known.includes(name))]
  return names.map((name) => ({ name, ...(known.includes(name) && { description: tagDescriptions[name] }) }))
}

/** Describes an endpoint at its main path (index 0) or at one of its aliases (index 1 and up). */
function operationOf(endpoint: Endpoint, index: number, extraHeaders: readonly string[]): Piece {
  const { tag, summary, plan, params, body, path, keyPlace } = endpoint
  const name = answerName(endpoint)
  const suffix = index === 0 ? '' : index === 1 ? 'Alias' : `Alias${index}`
  return {
    operationId: `${body === undefined ? 'get' : 'post'}${name}${suffix}`,
    'x-id': endpoint.id,
    tags: [tag],
    summary: index === 0 ? summary : `${summary} (the same as ${path})`,
    description: operationText(endpoint),
    'x-plan': plan,
    ...(keyPlace === 'header' && { security: keyInHeader }),
    ...(plan === 'public' && { security: keyed(endpoint) ? [{}, ...anyKey] : [] }),
    ...(index > 0 && { 'x-alias-of': path }),
    deprecated: endpoint.deprecated !== undefined,
    ...(endpoint.deprecated && { 'x-deprecation': deprecationText(endpoint.deprecated) }),
    parameters: [...openApiParameters(params), ...formParameters(endpoint)],
    ...(body !== undefined && { requestBody: requestBodyOf(body) }),
    responses: {
      200: {
        description: 'the answer',
        headers: headersOf(...answerHeaders(endpoint), ...extraHeaders),
        content: { ...jsonOf(refOf('schemas', name)), ...formsOf(endpoint) }
      },
      ...(isKept(endpoint) && notModified),
      ...errorResponses(errorsOf(endpoint))
    }
  }
}

/** Parameters that every operation has: how its answer is written. Clients that read JSON leave them out by the mark. */
function formParameters(endpoint: Endpoint): readonly Piece[] {
  return openApiParameters(tableParameters(endpoint)).map((parameter) => ({ ...parameter, 'x-form': true }))
}

/** Media types in which a response is available besides JSON. */
function formsOf(endpoint: Endpoint): Piece {
  const schemaOf = (type: string) => ({ type: 'string', ...(!type.startsWith('text/') && { format: 'binary' }) })
  return Object.fromEntries(mediaTypes(endpoint).map((type) => [type, { schema: schemaOf(type) }]))
}

/**
 * Describes the parameters of an operation. Those that are required get an example, because nobody can try the operation
 * without them.
 */
export function openApiParameters(parameters: Parameters): readonly Piece[] {
  return Object.entries(parameters).map(([name, { in: place, otherName, required, schema, example }]) => {
    const { description, ...rest } = schema as TSchema & { readonly description?: string }
    const meaning = otherName === undefined ? description : `${description}; ${otherName} is read as the same`
    return {
      name,
      in: place,
      required,
      ...(meaning !== undefined && { description: meaning }),
      ...(otherName !== undefined && { 'x-other-name': otherName }),
      schema: rest,
      ...((place === 'path' || required) && { example: exampleValue(example, rest) })
    }
  })
}

/** The example of a parameter as a value of its schema. */
const exampleValue = (text: string, { type }: { readonly type?: unknown }) =>
  type === 'number' || type === 'integer' ? Number(text) : text

interface DeclaredBody {
  readonly schema: TSchema
  readonly example: unknown
  readonly optional?: true
}

export function requestBodyOf({ schema, example, optional }: DeclaredBody): Piece {
  return { required: optional !== true, content: { 'application/json': { schema, example } } }
}

function answerHeaders(endpoint: Endpoint): readonly string[] {
  const cached = isKept(endpoint) ? ['ETag', 'X-Data-Source'] : []
  const market = readsMarket(endpoint.needs) ? ['X-Data-Age', 'X-Data-Stale'] : []
  const quality = endpoint.needs.some((name) => inputNamed(name).subject === 'chain') ? ['X-Data-Quality'] : []
  const flow = readsTapes(endpoint.needs) ? ['X-Flow-Source', 'X-Flow-Partial'] : []
  return [
    ...(keyed(endpoint) ? rateLimitHeaders : []),
    ...cached,
    ...market,
    ...quality,
    ...flow,
    'X-Ignored-Parameters',
    ...(endpoint.deprecated === undefined ? [] : Object.keys(endHeaders))
  ]
}

function errorsOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const { params, body, needs, plan, gates, errors, loading, sourceFault } = endpoint
  const codes = new Set<ErrorCode>(['internal_error', 'unknown_parameter', ...errors])
  if (keyed(endpoint)) codes.add('unauthorized').add('quota_exceeded')
  if (plan === 'public') codes.add('too_many_requests')
  for (const { code, missing, required } of Object.values({ ...params, ...tableParameters(endpoint) })) {
    codes.add(code)
    if (required) codes.add(missing)
  }
  const gated = (plan !== 'free' && plan !== 'public') || gates.length > 0 || readsMarket(endpoint.needs)
  if (keyed(endpoint) && gated) codes.add('tier_restricted')
  for (const name of needs) for (const code of inputNamed(name).errors?.(endpoint) ?? []) codes.add(code)
  if (readsMarket(endpoint.needs)) codes.add(sourceFault).add('data_loading').add('too_many_requests')
  if (!isAnsweredInPlace(endpoint) || readsMarket(endpoint.needs)) codes.add('overloaded')
  if (body !== undefined) codes.add(body.code ?? 'invalid_body').add('payload_too_large')
  if (codes.has('history_off')) codes.add('history_damaged')
  if (loading !== undefined) {
    codes.delete(loading)
    codes.add('loading')
  }
  return codes
}
