import type { Endpoint } from '../../api/endpoint.ts'
import type { ErrorCode } from '../../api/error.ts'
import type { Zone } from '../../api/serializer.ts'
import { errorResponses, headersOf, jsonOf, type Piece, rateLimitHeaders } from '../openapi/errors.ts'
import { openApiDocument, openApiParameters } from '../openapi/openapi.ts'
import { coverageListShape, symbolCoverageShape } from './coverage-shape.ts'
import { momentParameters } from './replay-host.ts'
import { coverageParameters, coveragePath } from './replay-routes.ts'

const momentHeaders: Readonly<Record<string, Piece>> = {
  'X-Replay-At': {
    description: 'the moment as it was read, yyyy-MM-ddTHH:mm:ss New York',
    schema: { type: 'string' }
  },
  'X-Replay-As-Of': {
    description: 'the oldest snapshot behind the answer, New York wall-clock',
    schema: { type: 'string' }
  },
  'X-Replay-Fidelity': {
    description: 'imported where a snapshot came from somebody else’s recording',
    schema: { type: 'string', enum: ['recorded', 'imported'] }
  }
}

const ofTheMoment: readonly ErrorCode[] = ['symbol_not_found', 'no_data', 'history_off']
const ofAuthorization: readonly ErrorCode[] = ['unauthorized', 'tier_restricted', 'quota_exceeded', 'history_off']

/**
 * The OpenAPI 3.1 document of the replay host. It describes the endpoints of the live host, with parameters for the
 * moment added.
 */
export function replayDocument(replayed: readonly Endpoint[], version: string, times: Zone): object {
  const endpoints = replayed.map((endpoint) => atMoment(endpoint, times))
  const extraPaths = { [coveragePath]: { get: coverageOperation } }
  const document = openApiDocument(endpoints, { version, extraPaths, extraHeaders: momentHeaders })
  return JSON.parse(JSON.stringify(document, (_, value) => (isInstant(value) ? inEitherZone(value) : value)))
}

/**
 * Pattern of printed times. In UTC they end in Z. With `tz=et` they are New York times without a zone, which the JSON
 * schema format `date-time` does not allow.
 */
const INSTANT_PATTERN = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z?$'

const isInstant = (value: Piece | null) => value?.['type'] === 'string' && value['format'] === 'date-time'
const inEitherZone = ({ format, ...rest }: Piece) => ({ ...rest, pattern: INSTANT_PATTERN })

/**
 * Changes the declaration of an endpoint for the replay host: adds the parameters for the moment, drops the parameter
 * `date`, and sets the plan.
 */
function atMoment(endpoint: Endpoint, times: Zone): Endpoint {
  const { date, ...params } = endpoint.params
  return {
    ...endpoint,
    summary: `${endpoint.summary}, at a past moment`,
    plan: 'alpha',
    keys: 'counted',
    loading: undefined,
    params: { ...params, ...momentParameters(times) },
    errors: [...endpoint.errors, ...ofTheMoment]
  }
}

const coverageOperation: Piece = {
  operationId: 'getCoverage',
  tags: ['reference'],
  summary: 'What the archive holds, for each symbol or for one',
  'x-plan': 'alpha',
  deprecated: false,
  parameters: openApiParameters(coverageParameters),
  responses: {
    200: {
      description: 'the list, or the bare object of the symbol that was named',
      headers: headersOf(...rateLimitHeaders),
      content: jsonOf({ oneOf: [coverageListShape, symbolCoverageShape] })
    },
    ...errorResponses([...ofAuthorization, 'no_coverage', 'invalid_parameter', 'unknown_parameter', 'internal_error'])
  }
}
