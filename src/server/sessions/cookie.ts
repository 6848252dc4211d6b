import type { IncomingHttpHeaders } from 'node:http'

const NAME = 'gw_session'

/**
 * Session token in the cookies of a request; undefined if there is none or it is malformed. Two cookies of this name
 * are both ignored, since another host of the same domain may have planted one.
 */
export function sessionToken({ cookie }: IncomingHttpHeaders): string | undefined {
  if (cookie === undefined || !cookie.includes(NAME)) return undefined
  const values = cookie.split(';').flatMap((pair) => {
    const [name, ...value] = pair.split('=')
    return name.trim() === NAME ? [value.join('=').trim()] : []
  })
  return values.length === 1 && /^[\w-]{43}$/.test(values[0]) ? values[0] : undefined
}

/** A Set-Cookie header with a lifetime in seconds; 0 deletes the cookie. `secure` if the client used TLS. */
export function sessionCookie(token: string, seconds: number, secure: boolean): string {
  return `${NAME}=${token}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure ? '; Secure' : ''}`
}
