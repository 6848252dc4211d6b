import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { SigningSecrets } from '../../accounts/secrets.ts'
import { cookieNamed } from '../sessions/cookie.ts'

/** Facts of a sign-in that has begun at the identity provider and not yet come back. */
export interface BegunSignIn {
  readonly state: string
  readonly nonce: string
  /** Code verifier of PKCE (RFC 7636). */
  readonly verifier: string
  /** Id of the signed-in user with whom the identity is to be linked; absent for a sign-in. */
  readonly link?: string
}

const NAME = 'gw_oidc'
/** Paths at which browsers send the cookie. */
export const OIDC_PATH = '/session/oidc'
/** How long somebody may take at the identity provider, seconds. */
const LIFETIME = 600

/**
 * Keeps a begun sign-in in a cookie of the browser that began it, encrypted and authenticated, so that nothing fills the
 * memory and any service of the same accounts can end it. The cookie comes with the provider's redirect, which is a
 * request of another site: it is SameSite=Lax.
 */
export class SealedCookie {
  readonly #secrets: SigningSecrets
  readonly #now: () => number

  constructor(secrets: SigningSecrets, now: () => number) {
    this.#secrets = secrets
    this.#now = now
  }

  seal(begun: BegunSignIn, secure: boolean): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', keyOf(this.#secrets.valid[0]!), iv)
    const text = JSON.stringify({ ...begun, until: this.#now() + LIFETIME * 1000 })
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return headerOf(sealed.toString('base64url'), LIFETIME, secure)
  }

  /** The begun sign-in of a browser; undefined if there is none, or it took too long. */
  open(headers: IncomingHttpHeaders): BegunSignIn | undefined {
    const sealed = Buffer.from(cookieNamed(NAME, headers) ?? '', 'base64url')
    for (const secret of this.#secrets.valid) {
      const text = opened(sealed, keyOf(secret))
      if (text === undefined) continue
      const { until, ...begun } = JSON.parse(text) as BegunSignIn & { readonly until: number }
      return until > this.#now() ? begun : undefined
    }
    return undefined
  }

  /** Text of the Set-Cookie header that deletes the cookie. */
  cleared(secure: boolean): string {
    return headerOf('', 0, secure)
  }
}

const keyOf = (secret: Buffer) => Buffer.from(hkdfSync('sha256', secret, '', 'gammawall begun sign-in', 32))

/** The text of a sealed cookie; undefined if it was changed, or sealed with another key. */
function opened(sealed: Buffer, key: Buffer): string | undefined {
  if (sealed.length <= 28) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(-16))
    return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function headerOf(value: string, seconds: number, secure: boolean): string {
  return `${NAME}=${value}; HttpOnly; SameSite=Lax; Path=${OIDC_PATH}; Max-Age=${seconds}${secure ? '; Secure' : ''}`
}
