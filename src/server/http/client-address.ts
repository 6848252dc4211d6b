import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

export interface Sender {
  readonly headers: IncomingHttpHeaders
  readonly socket: Pick<Socket, 'remoteAddress'>
}

/**
 * IP address of the client. Behind a proxy it is the last address in X-Forwarded-For, which the proxy nearest to us
 * wrote. The client itself may have written anything before it. A header without an address is ignored.
 */
export function clientAddress({ headers, socket }: Sender, trustProxy: boolean): string {
  const forwarded = headers['x-forwarded-for']
  if (trustProxy && typeof forwarded === 'string') {
    const nearest = lastAddress(forwarded)
    if (nearest !== undefined) return nearest
  }
  return socket.remoteAddress ?? ''
}

/**
 * Whether the client used TLS. This service speaks plain HTTP, so it only knows from a trusted proxy: from the last
 * value of X-Forwarded-Proto.
 */
export function cameByTls({ headers }: Pick<Sender, 'headers'>, trustProxy: boolean): boolean {
  const protocols = headers['x-forwarded-proto']
  if (!trustProxy || typeof protocols !== 'string') return false
  return protocols.slice(protocols.lastIndexOf(',') + 1).trim() === 'https'
}

function lastAddress(list: string): string | undefined {
  let end = list.length
  while (end > 0) {
    const comma = list.lastIndexOf(',', end - 1)
    const entry = list.slice(comma + 1, end).trim()
    if (entry !== '') return entry
    end = comma
  }
  return undefined
}
