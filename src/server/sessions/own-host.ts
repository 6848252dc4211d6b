import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** Whether the Host header of a request names this service. */
export type IsOwnHost = (host: string | undefined) => boolean

/**
 * Host names under which pages and sessions are available: every IP address, `localhost`, the name of this machine and
 * `names`. Somebody could point any other name at this machine and read its responses from their own pages (DNS
 * rebinding); an address cannot be pointed elsewhere.
 */
export function ownHosts(names: readonly string[]): IsOwnHost {
  const own = new Set([...names, 'localhost', hostname(), `${hostname()}.local`].map((name) => name.toLowerCase()))
  return (host) => {
    const name = nameIn(host)
    return name !== undefined && (isIP(name) !== 0 || own.has(name))
  }
}

/** Whether a Host header, or the address a service listens on, names this machine only. */
export function isLoopback(host: string | undefined): boolean {
  const name = nameIn(isIP(host ?? '') === 6 ? `[${host}]` : host)
  return name !== undefined && (name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.')))
}

/** The name or address in a Host header, without its port. */
function nameIn(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
}
