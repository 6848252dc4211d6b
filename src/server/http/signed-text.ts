import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SigningSecrets } from '../../accounts/secrets.ts'

/** Maximum length of a signed text, characters: more than any real one has, and cheap to check. */
const MAX_LENGTH = 500

/**
 * Signs claims into texts that a browser or client keeps and brings back, so that no service has to remember them
 * (HMAC-SHA-256 with the secrets that services share). A text of one purpose counts for no other.
 */
export class SignedText<Claims extends object> {
  readonly #secrets: SigningSecrets
  readonly #purpose: string

  constructor(secrets: SigningSecrets, purpose: string) {
    this.#secrets = secrets
    this.#purpose = purpose
  }

  /** The claims and their signature in base64url, with a dot between. */
  write(claims: Claims): string {
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
    return `${text}.${this.#sign(text, this.#secrets.valid[0]!).toString('base64url')}`
  }

  /** The claims of a text; undefined if no service signed it. Whether they have expired is for the caller to say. */
  read(text: string): Claims | undefined {
    if (text.length > MAX_LENGTH) return undefined
    const [claims = '', signature, ...more] = text.split('.')
    if (signature === undefined || more.length > 0) return undefined
    const given = Buffer.from(signature, 'base64url')
    const isSigned = this.#secrets.valid.some((secret) => {
      const own = this.#sign(claims, secret)
      return given.length === own.length && timingSafeEqual(given, own)
    })
    // Signed, so a service wrote it.
    return isSigned ? (JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims) : undefined
  }

  #sign(claims: string, secret: Buffer): Buffer {
    return createHmac('sha256', secret).update(`${this.#purpose} ${claims}`).digest()
  }
}
