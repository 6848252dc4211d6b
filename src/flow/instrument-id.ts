import { CALL } from '../market/chain.ts'
import { formatOcc } from '../market/occ.ts'
import type { Series } from '../market/series.ts'

const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193
const LOW_BITS = 0xfffff

/**
 * Number of a series: 52 bits from its OCC name of 21 characters, equal on every host and day. The upper 20 bits hash
 * the reversed name, the lower 32 bits the name, so a double holds the number exactly.
 */
export function instrumentId({ expirations, expiration, strike, right }: Series, instrument: number): number {
  const { root, date } = expirations[expiration[instrument]]
  const side = right[instrument] === CALL ? 'call' : 'put'
  return idOfName(formatOcc({ root, expiration: date, right: side, strike: strike[instrument] }, { padded: true }))
}

export function idOfName(name: string): number {
  const reversed = [...name].reverse().join('')
  return 2 ** 32 * (fnv1a(reversed) & LOW_BITS) + fnv1a(name)
}

/**
 * FNV-1a of 32 bits over ASCII text. Source: Fowler, Noll, Vo and Eastlake, The FNV Non-Cryptographic Hash Algorithm
 * (RFC 9923).
 */
function fnv1a(text: string): number {
  let hash = OFFSET_BASIS
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME)
  return hash >>> 0
}
