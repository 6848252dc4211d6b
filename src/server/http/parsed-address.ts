import type { Endpoint } from '../../api/endpoint.ts'
import type { Rename } from '../../market/renames.ts'
import type { IsoDate } from '../../market/units.ts'
import type { HeaderLines } from './headers.ts'
import { hasKeyShape } from './key-mask.ts'

export interface ParsedAddress {
  readonly endpoint: Endpoint
  readonly route: string
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
  /** Headers about ignored parameters and about a deprecated endpoint. */
  readonly noted: HeaderLines
  /**
   * Market date on which the address was parsed. A parsed address is valid on that day only, because the word 0dte
   * means another date tomorrow.
   */
  readonly today: IsoDate
  /** The operator's renames of companies at that time: with others, a symbol may be read as another one. */
  readonly renames: readonly Rename[]
}

/** An address without the API key in its query, and that key. */
export interface SplitAddress {
  readonly address: string
  readonly key: string | undefined
}

/**
 * Removes the API key from the query of an address. A key written in an unusual way (percent escapes, two keys, a
 * fragment) stays in the address. `holdsKey` then detects it, so that the address is not remembered.
 */
export function splitKey(url: string): SplitAddress {
  const whole = { address: url, key: undefined }
  const query = url.indexOf('?')
  const start = url.indexOf('apiKey=', query)
  if (query < 0 || start < 0) return whole
  const isParameter = start === query + 1 || url[start - 1] === '&'
  const end = url.indexOf('&', start)
  const key = url.slice(start + 'apiKey='.length, end < 0 ? undefined : end)
  if (!isParameter || !/^\w+$/.test(key)) return whole
  return { address: end < 0 ? url.slice(0, start - 1) : url.slice(0, start) + url.slice(end + 1), key }
}

/** Whether an address may still contain a key, under any parameter name and with any escapes. */
export function holdsKey(address: string): boolean {
  try {
    return hasKeyShape(address) || /apikey/i.test(address.includes('%') ? decodeURIComponent(address) : address)
  } catch {
    return true
  }
}
