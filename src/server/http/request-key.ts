import type { IncomingHttpHeaders } from 'node:http'
import { KEY_PREFIX } from '../../accounts/key.ts'

/** The parts of a request that may contain an API key. */
export interface KeyHolder {
  readonly headers: IncomingHttpHeaders
  readonly query: unknown
}

/** Headers that a key may come in, as caches that tell callers apart name them in `vary`. */
export const keyHeaders = 'x-api-key, authorization, cookie'

/**
 * The API key of a request: that of the header X-Api-Key or of `Authorization: Bearer`, else the parameter apiKey of its
 * query. Undefined if it has none.
 */
export function requestKeyOf({ headers, query }: KeyHolder): unknown {
  return headers['x-api-key'] ?? bearerOf(headers) ?? (query as { readonly apiKey?: unknown }).apiKey
}

/** Whether a request names a key anywhere, be it valid or not. */
export function bringsKey(request: KeyHolder): boolean {
  return hasTwoKeys(request) || (requestKeyOf(request) ?? '') !== ''
}

/** Whether the headers of a request hold two different keys: none of them then counts. */
export function hasTwoKeys({ headers }: KeyHolder): boolean {
  const [own, bearer] = [headers['x-api-key'], bearerOf(headers)]
  return own !== undefined && own !== '' && bearer !== undefined && own !== bearer
}

/**
 * The key in `Authorization: Bearer <key>`; undefined for another scheme, and for a token that is no key of ours, such as
 * that of a proxy in front. The name of the scheme is read in any case.
 */
function bearerOf({ authorization }: IncomingHttpHeaders): string | undefined {
  const token = authorization === undefined ? undefined : /^bearer +([^\s]+) *$/i.exec(authorization)?.[1]
  return token?.startsWith(KEY_PREFIX) ? token : undefined
}
