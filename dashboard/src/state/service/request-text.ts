import { paramsOfSet } from '../page/expiration-set.ts'

interface Request {
  /** Path after the host, with its symbol. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  /** A past moment in New York; undefined: live. */
  readonly at: string | undefined
  /** The set of expirations of the address; undefined: all. */
  readonly set: string | undefined
}

/** Path and query of a request, live or at a past moment. */
export function requestPath({ path, params, at, set }: Request): string {
  const query = new URLSearchParams(params)
  for (const [name, value] of Object.entries(paramsOfSet(set))) query.set(name, String(value))
  if (at !== undefined) query.set('at', at)
  return `${at === undefined ? '' : '/replay'}${path}?${String(query).replace(/%3A/g, ':').replace(/%2C/g, ',')}`
}

/** The command that makes a request. The reader puts in a key. */
export const commandOf = (origin: string, path: string) => `curl -H 'X-Api-Key: YOUR_KEY' '${origin}${path}'`
