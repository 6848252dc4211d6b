import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** Function that tells whether the Host header of a request names this service. */
export type IsOwnHost = (host: string | undefined) => boolean

/**
 * Checks that requests use a host name that belongs to this service: any IP address, `localhost`, the name of this
 * machine, or one of `names`. An attacker could point any other host name at this machine, and a page under that name
 * could then read its responses (DNS rebinding). Nobody can point an IP address elsewhere.
 */
export function ownHosts(names: readonly string[]): IsOwnHost {
  const own = new Set([...names, 'localhost', hostname(), `${hostname()}.local`].map((name) => name.toLowerCase()))
  return (host) => {
    const name = nameIn(host)
    return name !== undefined && (isIP(name) !== 0 || own.has(name))
  }
}

/** Whether a Host header, or an address that a service listens on, can only be reached from this machine. */
export function isLoopback(host: string | undefined): boolean {
  const name = nameIn(isIP(host ?? '') === 6 ? `[${host}]` : host)
  return name !== undefined && (name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.')))
}

/** The name or address in a Host header, without its port. */
function nameIn(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
}
