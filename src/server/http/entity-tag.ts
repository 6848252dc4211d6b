import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The tag of a body. It is weak, since one body is sent in several encodings. */
export function entityTag(body: Uint8Array | string): string {
  return `W/"${createHash('sha1').update(body).digest('base64url')}"`
}

/** Whether the client has the tagged body already. Some proxies drop the mark of a weak tag, so it is not compared. */
export function isHeldBy(headers: IncomingHttpHeaders, etag: string): boolean {
  const held = headers['if-none-match']
  return held !== undefined && (held === '*' || held.includes(etag.slice('W/'.length)))
}
