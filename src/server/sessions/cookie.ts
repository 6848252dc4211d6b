import type { IncomingHttpHeaders } from 'node:http'

const NAME = 'gw_session'

/** The session token among a request's cookies. Undefined if there is none or it is malformed. */
export function sessionToken(headers: IncomingHttpHeaders): string | undefined {
  const value = cookieNamed(NAME, headers)
  return value !== undefined && /^[\w.-]{1,500}$/.test(value) ? value : undefined
}

/**
 * Value of a cookie. If there are two cookies of this name both are ignored, since another host of the same domain may
 * have set one.
 */
export function cookieNamed(wanted: string, { cookie }: IncomingHttpHeaders): string | undefined {
  if (cookie === undefined || !cookie.includes(wanted)) return undefined
  const values = cookie.split(';').flatMap((pair) => {
    const [name, ...value] = pair.split('=')
    return name.trim() === wanted ? [value.join('=').trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

/**
 * Text of a Set-Cookie header. `seconds` is the lifetime; 0 deletes the cookie. `secure` tells that the client uses
 * TLS.
 */
export function sessionCookie(token: string, seconds: number, secure: boolean): string {
  return `${NAME}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure ? '; Secure' : ''}`
}
