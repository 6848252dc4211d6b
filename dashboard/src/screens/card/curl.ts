import { paramsOfSet } from '../../state/page/expiration-set.ts'
import type { Card } from '../../state/page/place.ts'

interface Request {
  readonly origin: string
  readonly symbol: string
  readonly card: Card
  /** A past moment in New York; undefined: live. */
  readonly at: string | undefined
  /** The set of expirations of the address; undefined: all. */
  readonly set: string | undefined
}

/** The command that asks the service for a figure and what it rests on. The reader puts in a key. */
export function curlOf({ origin, symbol, card, at, set }: Request): string {
  const params = new URLSearchParams({ metric: card })
  for (const [name, value] of Object.entries(paramsOfSet(set))) params.set(name, String(value))
  if (at !== undefined) params.set('at', at)
  const path = `${at === undefined ? '' : '/replay'}/v1/exposure/explain/${encodeURIComponent(symbol)}`
  return `curl -H 'X-Api-Key: YOUR_KEY' '${origin}${path}?${String(params).replace(/%3A/g, ':').replace(/%2C/g, ',')}'`
}
