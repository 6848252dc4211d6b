import type { Endpoint } from './endpoint.ts'
import { type ParameterContext, readParameters } from './params.ts'

/** Parses the parameters of a request to an endpoint into their canonical form. Throws the error of the first invalid one. */
export function readRequest(
  { params, combine }: Pick<Endpoint, 'params' | 'combine'>,
  path: Parameters<typeof readParameters>[1],
  query: Parameters<typeof readParameters>[2],
  context: ParameterContext
): Readonly<Record<string, unknown>> {
  return combine(readParameters(params, path, query, context) as never, context) as Readonly<Record<string, unknown>>
}
