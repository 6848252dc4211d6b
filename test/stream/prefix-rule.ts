import type { Endpoint } from '../../src/api/endpoint.ts'

/**
 * Prefix that the contract requires for the metrics of a path: the first fixed segment, a dot and the other segments,
 * or `current` if there are none. Streaming contract, section 4.
 */
export function prefixOf({ path }: Pick<Endpoint, 'path'>): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'))
  const [first, ...rest] = segments[0] === 'v1' ? segments.slice(1) : segments
  const method = rest.length === 0 ? 'current' : rest.join('_')
  return `${first}.${method}`.replaceAll('-', '_')
}
