import type { TSchema } from 'typebox'
import { type Endpoint, isAnsweredInPlace, isKept } from '../../api/endpoint.ts'
import type { ErrorCode } from '../../api/error.ts'
import { inputNamed, readsMarket, readsTapes } from '../../api/inputs/inputs.ts'
import type { Parameters } from '../../api/params.ts'
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
  screener: 'Filters, rankings and formulas over every loaded symbol.',
  reference: 'What is known: tickers, expirations, strikes, symbols held.',
  account: 'The caller.',
  alerts: 'Rules on metrics of the stream, what they fired, and the webhooks it is sent to. Uses no quota.',
  system: 'The service itself; no key is needed.',
  admin: 'Users, keys, plans and the audit trail. Needs an Enterprise key and uses no quota.'
}

const description = `Options exposure analytics from the operator's own market data.

Send the key in the \`X-Api-Key\` header, or in the query as \`apiKey\` where a header cannot be set; the header wins.
Every operation names the least plan in \`x-plan\`; some of its parameters ask for more, and a 403 names the plan that
would do. Percent fields carry 18.45 for 18.45 %, fraction fields 0.1845: \`x-unit\` says which. Figures are rounded to
\`x-decimals\` decimals or \`x-significant\` digits. Null means that there is no such figure, never zero.

An index may be written SPX, ^SPX, .SPX, $SPX or I:SPX. Where a parameter is \`expiration\` it may be named \`expiry\`, and the
other way round. A name nearly that of a parameter is refused; others are ignored and listed in \`X-Ignored-Parameters\`.`

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
  'X-Flow-Source': {
    description: 'where the prints behind the answer come from; none: there is no tape of this symbol and session',
    schema: { type: 'string', enum: ['recorded', 'inferred', 'synthetic', 'none'] }
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
  const schemas: Record<string, unknown> = { ...errorSchemas }
  for (const endpoint of endpoints) {
    schemas[answerName(endpoint)] = endpoint.response
    const method = endpoint.body === undefined ? 'get' : 'post'
    for (const [index, path] of [endpoint.path, ...endpoint.aliases].entries()) {
      paths[path] = { [method]: operationOf(endpoint, index, Object.keys(extraHeaders)) }
    }
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'gammawall', version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: eitherKey,
    tags: tagsOf(paths),
    paths,
    components: {
      securitySchemes: {
        ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        ApiKeyQuery: { type: 'apiKey', in: 'query', name: 'apiKey' }
      },
      headers: { ...headers, ...extraHeaders },
      responses: sharedResponses,
      schemas
    }
  }
  return JSON.parse(JSON.stringify(document)) // plain JSON, without hidden fields that TypeBox adds
}

const eitherKey: readonly Piece[] = [{ ApiKeyHeader: [] }, { ApiKeyQuery: [] }]

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

/**
 * Name of the schema of a response. For example, exposure.zero_dte becomes ExposureZeroDte. A final "current" is left
 * out.
 */
function answerName({ id }: Endpoint): string {
  const words = id.replace(/\.current$/, '').split(/[._-]/)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** Describes an endpoint at its main path (index 0) or at one of its aliases (index 1 and up). */
function operationOf(endpoint: Endpoint, index: number, extraHeaders: readonly string[]): Piece {
  const { tag, summary, plan, params, body, path } = endpoint
  const name = answerName(endpoint)
  const suffix = index === 0 ? '' : index === 1 ? 'Alias' : `Alias${index}`
  return {
    operationId: `${body === undefined ? 'get' : 'post'}${name}${suffix}`,
    tags: [tag],
    summary: index === 0 ? summary : `${summary} (the same as ${path})`,
    'x-plan': plan,
    ...(plan === 'public' && { security: keyed(endpoint) ? [{}, ...eitherKey] : [] }),
    ...(index > 0 && { 'x-alias-of': path }),
    deprecated: false,
    parameters: openApiParameters(params),
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

/** Media types in which a response is available besides JSON. */
function formsOf({ forms }: Endpoint): Piece {
  const schemaOf = (type: string) => ({ type: 'string', ...(!type.startsWith('text/') && { format: 'binary' }) })
  return Object.fromEntries(forms.map(({ type }) => [type, { schema: schemaOf(type) }]))
}

/**
 * Describes the parameters of an operation. Path parameters get an example, because nobody can try the operation
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
      ...(place === 'path' && { example })
    }
  })
}

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
  const flow = readsTapes(endpoint.needs) ? ['X-Flow-Source'] : []
  return [
    ...(keyed(endpoint) ? rateLimitHeaders : []),
    ...cached,
    ...market,
    ...quality,
    ...flow,
    'X-Ignored-Parameters'
  ]
}

function errorsOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const { params, body, needs, plan, gates, errors, loading, sourceFault } = endpoint
  const codes = new Set<ErrorCode>(['internal_error', 'unknown_parameter', ...errors])
  if (keyed(endpoint)) codes.add('unauthorized').add('quota_exceeded')
  if (plan === 'public') codes.add('too_many_requests')
  for (const { code, missing, required } of Object.values(params)) {
    codes.add(code)
    if (required) codes.add(missing)
  }
  const gated = (plan !== 'free' && plan !== 'public') || gates.length > 0 || readsMarket(endpoint.needs)
  if (keyed(endpoint) && gated) codes.add('tier_restricted')
  for (const name of needs) for (const code of inputNamed(name).errors?.(endpoint) ?? []) codes.add(code)
  if (readsMarket(endpoint.needs)) codes.add(sourceFault).add('too_many_requests')
  if (!isAnsweredInPlace(endpoint) || readsMarket(endpoint.needs)) codes.add('overloaded')
  if (body !== undefined) codes.add(body.code ?? 'invalid_body').add('payload_too_large')
  if (loading !== undefined) {
    codes.delete(loading)
    codes.add('loading')
  }
  return codes
}
