import type { ClientAuth, Configuration } from 'openid-client'
import type { BegunSignIn } from './sealed-cookie.ts'
import { SignInTrouble, type TroubleCode } from './trouble.ts'

export interface ProviderOptions {
  readonly issuer: string
  readonly client: string
  readonly secret: string | undefined
  readonly scope: string
  /** Claim that names groups. */
  readonly claim: string
  readonly now: () => number
}

/** Claims of an identity provider about a person, after their signature was checked. */
export interface Claims {
  readonly issuer: string
  readonly subject: string
  readonly email: string | undefined
  /** Undefined if the provider does not say. */
  readonly isVerified: boolean | undefined
  readonly groups: readonly string[]
}

/** How long an answer of the provider may take, seconds. */
const PATIENCE = 10
/** How long its addresses and keys are used before they are read anew, milliseconds. Unknown keys are read at once. */
const KEPT_FOR = 24 * 3_600_000

/**
 * An identity provider, by the authorization code flow with PKCE, state and nonce. The library is loaded and the
 * provider's addresses are read at the first sign-in. Signatures of ID tokens are checked although they come by TLS, so
 * that an unsigned token is never taken. Source: OpenID Connect Core 1.0, section 3.1; RFC 9700, section 2.1.
 */
export class IdentityProvider {
  readonly #options: ProviderOptions
  #found: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined

  constructor(options: ProviderOptions) {
    this.#options = options
  }

  /** Begins a sign-in: where to send the browser, and what to keep until it comes back to `redirect`. */
  async begin(redirect: string): Promise<{ readonly address: string; readonly begun: BegunSignIn }> {
    return understood(async () => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, ...random } = await library()
      const configuration = await this.#configuration()
      const verifier = random.randomPKCECodeVerifier()
      const [state, nonce] = [random.randomState(), random.randomNonce()]
      const address = buildAuthorizationUrl(configuration, {
        redirect_uri: redirect,
        scope: this.#options.scope,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce
      })
      return { address: address.href, begun: { state, nonce, verifier } }
    })
  }

  /** Ends a sign-in with the address to which the browser came back. Throws a SignInTrouble. */
  async finish(address: URL, { state, nonce, verifier }: BegunSignIn): Promise<Claims> {
    if (address.searchParams.get('state') !== state) throw new SignInTrouble('over', 'state is that of another sign-in')
    const { authorizationCodeGrant, fetchUserInfo } = await library()
    const configuration = await this.#configuration()
    return understood(async () => {
      const tokens = await authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true
      })
      const claims = tokens.claims()!
      const { claim } = this.#options
      const isWhole = claims['email'] !== undefined && claims[claim] !== undefined
      const hasMore = !isWhole && configuration.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
      return claimsOf(joined(claims, more), claim)
    })
  }

  async #configuration(): Promise<Configuration> {
    const now = this.#options.now()
    if (this.#found === undefined || this.#found.until <= now) {
      const configuration = understood(() => this.#discover())
      const found = (this.#found = { configuration, until: now + KEPT_FOR })
      configuration.catch(() => {
        if (this.#found === found) this.#found = undefined
      })
    }
    return this.#found.configuration
  }

  async #discover(): Promise<Configuration> {
    const { issuer, client, secret } = this.#options
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks, None } = await library()
    const address = new URL(issuer)
    // Only the address of a provider on this machine may be plain http: the settings refuse any other.
    const execute = address.protocol === 'http:' ? [allowInsecureRequests] : []
    const found = await discovery(address, client, {}, secret === undefined ? None() : await secretAuth(secret), {
      execute: [...execute, enableNonRepudiationChecks],
      timeout: PATIENCE
    })
    return found
  }
}

const library = () => import('openid-client')

/** Sends the client secret as the provider wants it. Source: OpenID Connect Discovery 1.0, section 3. */
async function secretAuth(secret: string): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await library()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (provider, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = provider
    return (methods.includes('client_secret_basic') ? basic : post)(provider, ...rest)
  }
}

/** Claims of an ID token, and what it lacks from the provider's answer about the user. */
function joined(token: Readonly<Record<string, unknown>>, answer: Readonly<Record<string, unknown>>) {
  const { email_verified, ...others } = answer
  // An answer about another address does not tell whether the token's is verified.
  const isSameAddress = token['email'] === undefined || token['email'] === answer['email']
  return { ...(isSameAddress ? answer : others), ...token }
}

function claimsOf(claims: Readonly<Record<string, unknown>>, groupClaim: string): Claims {
  const { iss, sub, email, email_verified } = claims
  const named = claims[groupClaim]
  return {
    issuer: iss as string, // the library has checked both
    subject: subjectOf(sub as string),
    email: typeof email === 'string' ? email.trim().toLowerCase() : undefined,
    // Some providers send the word.
    isVerified: email_verified === undefined ? undefined : email_verified === true || email_verified === 'true',
    groups: (Array.isArray(named) ? named : [named]).filter((group) => typeof group === 'string')
  }
}

/** A subject has at most 255 ASCII characters. Source: OpenID Connect Core 1.0, section 2. */
function subjectOf(sub: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(sub)) return sub
  throw new SignInTrouble('untrusted', 'the subject is no text of at most 255 ASCII characters')
}

/** Runs what asks the provider, and says in one of our words why it fails. */
async function understood<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof SignInTrouble ? error : troubleOf(error as LibraryError)
  }
}

/** The fields of the library's errors. */
interface LibraryError extends Error {
  readonly code?: string
  /** Status of a response, and the error that it names (RFC 6749, section 5.2). */
  readonly status?: number
  readonly error?: string
  readonly error_description?: string
}

function troubleOf(thrown: LibraryError): SignInTrouble {
  const { code = '', error, error_description: description } = thrown
  const reasons = [thrown.message, error, description, (thrown.cause as Error | undefined)?.message]
  const message = reasons
    .filter((reason) => typeof reason === 'string')
    .join(': ')
    .slice(0, 500)
  return new SignInTrouble(codeOf(code, thrown), message)
}

function codeOf(code: string, thrown: LibraryError): TroubleCode {
  const response = thrown.cause instanceof Response ? thrown.cause : undefined
  const status = thrown.status ?? response?.status ?? 0
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return thrown.error === 'access_denied' ? 'cancelled' : 'refused'
  if (code === 'OAUTH_TIMEOUT' || status >= 500 || status === 429) return 'down'
  if (code === '' && thrown instanceof TypeError) return 'down' // fetch could not reach it
  return code === 'OAUTH_RESPONSE_BODY_ERROR' ? 'refused' : 'untrusted'
}
