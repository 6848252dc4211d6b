import Type from 'typebox'
import type { Endpoint } from '../../api/endpoint.ts'
import type { ErrorCode } from '../../api/error.ts'
import type { Parameters } from '../../api/params.ts'
import { errorResponses, headersOf, jsonOf, type Piece, rateLimitHeaders } from '../openapi/errors.ts'
import { openApiDocument, openApiParameters } from '../openapi/openapi.ts'
import { coverageListShape, symbolCoverageShape } from './coverage-shape.ts'
import { parquetParameters, parquetPath } from './parquet-route.ts'
import { recordedParameters, recordedPath, recordedShape } from './recorded-moments.ts'
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
export function replayDocument(replayed: readonly Endpoint[], version: string, ofMoment: Parameters): object {
  const endpoints = replayed.map((endpoint) => atMoment(endpoint, ofMoment))
  const extraPaths = {
    [coveragePath]: { get: coverageOperation },
    [recordedPath]: { get: recordedOperation },
    [parquetPath]: { get: parquetOperation }
  }
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
function atMoment(endpoint: Endpoint, ofMoment: Parameters): Endpoint {
  const { date, ...params } = endpoint.params
  return {
    ...endpoint,
    summary: `${endpoint.summary}, at a past moment`,
    plan: 'alpha',
    keys: 'counted',
    loading: undefined,
    params: { ...params, ...ofMoment },
    errors: [...endpoint.errors, ...ofTheMoment]
  }
}

/** An operation on the archive itself, without a moment. */
function archiveOperation(
  named: { readonly operationId: string; readonly summary: string; readonly description: string },
  parameters: Parameters,
  answer: { readonly description: string; readonly content: Piece; readonly headers?: Piece }
): Piece {
  return {
    ...named,
    tags: ['reference'],
    'x-plan': 'alpha',
    deprecated: false,
    parameters: openApiParameters(parameters),
    responses: {
      200: {
        description: answer.description,
        headers: { ...headersOf(...rateLimitHeaders), ...answer.headers },
        content: answer.content
      },
      ...errorResponses([
        ...ofAuthorization,
        'history_damaged',
        'no_coverage',
        'invalid_parameter',
        'unknown_parameter',
        'internal_error'
      ])
    }
  }
}

const coverageOperation = archiveOperation(
  {
    operationId: 'getCoverage',
    summary: 'What the archive holds, for each symbol or for one',
    description:
      'Which days can be asked about, how complete they are and where they come from. Look here before a backtest.'
  },
  coverageParameters,
  {
    description: 'the list, or the bare object of the symbol that was named',
    content: jsonOf(Type.Union([coverageListShape, symbolCoverageShape]))
  }
)

const recordedOperation = archiveOperation(
  {
    operationId: 'getRecordedMoments',
    summary: 'The moments of a symbol that can be replayed',
    description:
      'Each New York time of the named days at which a snapshot was taken. A replay that steps through them meets no gap.'
  },
  recordedParameters,
  { description: 'sessions with their moments', content: jsonOf(recordedShape) }
)

const parquetOperation = archiveOperation(
  {
    operationId: 'getSessionFile',
    summary: 'A session as a Parquet file',
    description:
      'For programs that read Parquet by address, such as DuckDB: it takes HEAD and ranges. A file costs a request for each megabyte, once a day, in X-Bulk-Cost.'
  },
  parquetParameters,
  {
    description: 'the whole file, or the range that was asked for',
    content: { 'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } } }
  }
)
