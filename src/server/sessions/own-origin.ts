import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request comes from a page of this service, or from no page at all. A request that names neither, such as a
 * GET over plain HTTP, passes: browsers send cookies with SameSite=Strict only in requests from the same site. Source:
 * W3C, Fetch Metadata Request Headers; RFC 6454, section 7.
 */
export function isOfOwnOrigin(headers: IncomingHttpHeaders): boolean {
  const { origin, host = '' } = headers
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false // refuses also "null", the origin of a sandboxed frame
  const page = new URL(origin)
  const asked = `${page.protocol}//${host}`
  return URL.canParse(asked) && new URL(asked).host === page.host
}
