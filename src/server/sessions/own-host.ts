import { isIP } from 'node:net'
import { hostname } from 'node:os'

/** Whether the Host header of a request names this service. */
export type IsOwnHost = (host: string | undefined) => boolean

/**
 * The hosts under which pages and sessions are served: every address, `localhost`, the name of this machine and `names`.
 * Any other name may be one that somebody points at this machine, so that pages of theirs read what it answers (DNS
 * rebinding). An address cannot be pointed elsewhere.
 */
export function ownHosts(names: readonly string[]): IsOwnHost {
  const own = new Set([...names, 'localhost', hostname(), `${hostname()}.local`].map((name) => name.toLowerCase()))
  return (host) => {
    const name = nameIn(host)
    return name !== undefined && (isIP(name) !== 0 || own.has(name))
  }
}

/** Whether a Host header, or what a service listens on, names the machine itself. */
export function isLoopback(host: string | undefined): boolean {
  const name = nameIn(isIP(host ?? '') === 6 ? `[${host}]` : host)
  return name !== undefined && (name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.')))
}

/** The name or address in a Host header, without its port. */
function nameIn(host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}`)) return undefined
  return new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
}
