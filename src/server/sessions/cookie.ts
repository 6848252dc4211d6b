import type { IncomingHttpHeaders } from 'node:http'

const NAME = 'gw_session'

/**
 * The session that a request names; undefined for none and for what cannot be one. Of two cookies with this name one may
 * have been planted by another host of the same domain: neither is taken.
 */
export function sessionToken({ cookie }: IncomingHttpHeaders): string | undefined {
  if (cookie === undefined || !cookie.includes(NAME)) return undefined
  const values = cookie.split(';').flatMap((pair) => {
    const [name, ...value] = pair.split('=')
    return name.trim() === NAME ? [value.join('=').trim()] : []
  })
  return values.length === 1 && /^[\w-]{43}$/.test(values[0]) ? values[0] : undefined
}

/** A Set-Cookie header for so many seconds; 0 takes the cookie away. `secure` where the client came by TLS. */
export function sessionCookie(token: string, seconds: number, secure: boolean): string {
  return `${NAME}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure ? '; Secure' : ''}`
}
