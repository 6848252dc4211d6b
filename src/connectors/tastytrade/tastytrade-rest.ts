import { easternDate } from '../../market/eastern.ts'
import { type Instant, MILLISECONDS_PER_HOUR, type Ticker } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import { fetchPayload, type HttpSource } from '../port/http/fetch-payload.ts'
import { RequestBudget } from '../port/http/request-budget.ts'
import type { VendorFields } from '../port/http/vendor-fields.ts'
import { MAX_LISTINGS, NewestMap } from '../port/newest-map.ts'
import { SerialQueue } from '../port/prints/serial-queue.ts'
import { readPrivateSocket } from '../port/setting-text.ts'
import { SourceError } from '../port/source-error.ts'
import { readTastytradeListing, type TastytradeContract, tastytradeReader } from './tastytrade-contracts.ts'

export interface TastytradeRestSettings {
  /** Base address, without a trailing slash. */
  readonly url: string
  /**
   * `secret`: client secret of the registered application. `token`: refresh token of the customer. Both are sent only
   * to `url`.
   */
  readonly secret: string
  readonly token: string
  /** Shared memory in which all threads count their requests. */
  readonly budget?: SharedArrayBuffer | undefined
  readonly onAnswer?: AnswerListener | undefined
}

/** Address of the stream and the token that gives access to it for a day. */
export interface TastytradeStreamAccess {
  readonly address: string
  readonly token: string
  /** Secrets to mask in messages about the stream. */
  readonly secrets: readonly string[]
}

/** Client of tastytrade's REST API. Calls reject with a `SourceError`, or with the signal's reason. */
export interface TastytradeRest {
  readonly budget: RequestBudget
  /**
   * Option contracts of a symbol, cached for an hour. Empty if the vendor does not know the symbol or lists no options
   * on it.
   */
  contracts(symbol: Ticker, now: Instant, signal: AbortSignal): Promise<readonly TastytradeContract[]>
  streamAccess(signal: AbortSignal): Promise<TastytradeStreamAccess>
  /** Drops the cached stream access after the stream refused it; the next call requests a new token. */
  forgetAccess(): void
}

const TIME_LIMIT = 15_000
const SIZE_LIMIT = 64 * 2 ** 20
/** A cautious guess. The vendor publishes no limit, but blocks clients with too many requests for hours. */
const REQUESTS_PER_MINUTE = 60
const MAX_WAIT = 60_000
/** Access tokens are renewed this long before they expire, milliseconds. */
const RENEWED_BEFORE = 60_000
/**
 * Milliseconds for which a refused log-in is not retried: after too many failures the vendor blocks the account for
 * eight hours.
 */
const REFUSED_FOR = 5 * 60_000
/** Milliseconds after which the access to the stream is renewed; it is valid for a day. */
const ACCESS_FOR = 12 * MILLISECONDS_PER_HOUR

export function createTastytradeRest({
  url,
  secret,
  token,
  budget: memory,
  onAnswer
}: TastytradeRestSettings): TastytradeRest {
  const budget = new RequestBudget({ requests: REQUESTS_PER_MINUTE, every: 60_000 }, { memory, longestWait: MAX_WAIT })
  const source: HttpSource = {
    vendor: 'tastytrade',
    limits: { time: TIME_LIMIT, size: SIZE_LIMIT },
    // The vendor refuses user agents without a version with 401.
    headers: { accept: 'application/json', 'user-agent': 'gammawall/1.0' },
    credentials:
      'are GAMMAWALL_TASTYTRADE_SECRET and GAMMAWALL_TASTYTRADE_TOKEN, or their files, of one program with the right to read, and not revoked?',
    budget,
    onAnswer
  }
  // Responses with tokens are not captured to disk.
  const unheard: HttpSource = { ...source, onAnswer: undefined }
  let session: { readonly token: string; readonly until: number } | undefined
  let refusal: { readonly error: SourceError; readonly until: number } | undefined
  const logIns = new SerialQueue()
  let access: { readonly given: TastytradeStreamAccess; readonly until: number } | undefined
  const listings = new NewestMap<Ticker, { readonly at: Instant; readonly contracts: readonly TastytradeContract[] }>(
    MAX_LISTINGS
  )

  /** Returns the access token and logs in if there is none. Concurrent requests share one log-in. */
  async function accessToken(signal: AbortSignal): Promise<string> {
    const end = await logIns.next(signal)
    try {
      if (session !== undefined && performance.now() < session.until) return session.token
      if (refusal !== undefined && performance.now() < refusal.until) throw refusal.error
      return await logIn(signal)
    } catch (error) {
      if (error instanceof SourceError && error.fault === 'refused' && error !== refusal?.error) {
        refusal = { error, until: performance.now() + REFUSED_FOR }
      }
      throw error
    } finally {
      end()
    }
  }

  async function logIn(signal: AbortSignal): Promise<string> {
    await budget.turn(signal)
    const json = { grant_type: 'refresh_token', client_secret: secret, refresh_token: token }
    const request = { address: `${url}/oauth/token`, held: undefined, now: Date.now(), signal, json }
    const answer = await fetchPayload(unheard, request)
    if (answer.status !== 'changed') throw nothingAt('/oauth/token')
    const fields = tastytradeReader.body(answer.bytes)
    const lasts = 1000 * tastytradeReader.number(fields, 'expires_in')
    const given = tastytradeReader.text(fields, 'access_token')
    if (!/^[\x21-\x7e]+$/.test(given)) throw tastytradeReader.malformed('the field access_token is no token')
    session = { token: given, until: performance.now() + lasts - RENEWED_BEFORE }
    return session.token
  }

  /**
   * Requests a path; undefined if the vendor answers 404. If the token is refused before it expired, a new one is
   * requested once.
   */
  async function read(path: string, signal: AbortSignal, from = source): Promise<VendorFields | undefined> {
    for (let attempt = 1; ; attempt++) {
      const authorization = `Bearer ${await accessToken(signal)}`
      await budget.turn(signal)
      try {
        const asked = { ...from, headers: { ...from.headers, authorization } }
        const request = { address: `${url}${path}`, held: undefined, now: Date.now(), signal }
        const answer = await fetchPayload(asked, request)
        return answer.status === 'changed' ? tastytradeReader.body(answer.bytes) : undefined
      } catch (error) {
        if (attempt === 2 || !(error instanceof SourceError) || error.fault !== 'refused') throw error
        session = undefined
      }
    }
  }

  return {
    budget,
    async contracts(symbol, now, signal) {
      const held = listings.get(symbol)
      const isFresh = held !== undefined && Math.abs(now - held.at) < MILLISECONDS_PER_HOUR
      if (isFresh && easternDate(now) === easternDate(held.at)) return held.contracts
      const answer = await read(`/option-chains/${encodeURIComponent(symbol)}/nested`, signal)
      const contracts = answer === undefined ? [] : readTastytradeListing(answer)
      listings.set(symbol, { at: now, contracts })
      return contracts
    },
    async streamAccess(signal) {
      if (access !== undefined && performance.now() < access.until) return access.given
      const answer = await read('/api-quote-tokens', signal, unheard)
      if (answer === undefined) throw nothingAt('/api-quote-tokens')
      const data = tastytradeReader.object(answer, 'data')
      const address = readPrivateSocket(tastytradeReader.text(data, 'dxlink-url'))
      if (address === undefined) throw tastytradeReader.malformed('the field dxlink-url is no wss address')
      const given = tastytradeReader.text(data, 'token')
      const secrets = [given, secret, token, session?.token ?? '']
      access = { given: { address, token: given, secrets }, until: performance.now() + ACCESS_FOR }
      return access.given
    },
    forgetAccess() {
      access = undefined
    }
  }
}

const nothingAt = (path: string) =>
  new SourceError('unavailable', `tastytrade has nothing at ${path}: is --tastytrade-url its address?`)
