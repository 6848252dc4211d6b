import type { Instant } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import { allOrAbort } from '../port/http/all-or-abort.ts'
import { fetchPayload, type HttpSource } from '../port/http/fetch-payload.ts'
import { RequestBudget, type StatedLimit } from '../port/http/request-budget.ts'
import { isTemporary, SourceError } from '../port/source-error.ts'

export interface TradierRestSettings {
  /** Address with its version, without a trailing slash. */
  readonly url: string
  readonly token: string
  readonly requestsPerMinute: number
  /** Shared memory in which all threads count their requests. */
  readonly budget?: SharedArrayBuffer | undefined
  readonly onAnswer?: AnswerListener | undefined
  /** Timeouts, milliseconds; the vendor's defaults if absent. */
  readonly times?: Partial<TradierRestTimes>
}

/** Timeouts, milliseconds. */
export interface TradierRestTimes {
  /** Time limit of one response. */
  readonly answer: number
  /** Length of the window in which the vendor counts requests. */
  readonly minute: number
}

export interface TradierRequest {
  /** Path below the address, e.g. `/markets/quotes`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly method?: 'POST'
  /** The response is secret and is not captured. */
  readonly isSecret?: boolean
}

export interface TradierAnswers {
  /** Response bodies, in the order of the requests. */
  readonly bodies: readonly Buffer[]
  /** Time that the first request waited for its place in the request budget, milliseconds. */
  readonly waited: number
}

export interface TradierRest {
  readonly budget: RequestBudget
  /**
   * Makes related requests within one of the minutes in which the vendor counts, if its limit allows. Rejects with a
   * `SourceError`, or with the signal's reason.
   */
  ask(requests: readonly TradierRequest[], signal: AbortSignal): Promise<TradierAnswers>
}

/**
 * The vendor's minute begins with the first request; half a second is added so that its minute has surely ended too.
 */
const usual: TradierRestTimes = { answer: 10_000, minute: 60_500 }
const SIZE_LIMIT = 16 * 2 ** 20
/** Time limit of a chain: one wait for its expirations, up to two for its contracts, and the responses. */
export const CHAIN_LIMIT = 3 * usual.minute
const AT_ONCE = 8
/**
 * Longest pause tolerated within a chain, milliseconds; after a longer one the chain's parts would be from different
 * times.
 */
const SHORT_REST = 5000
/** Attempts per request: one retry after a temporary failure, because a chain needs many requests. */
const ATTEMPTS = 2

export function createTradierRest({
  url,
  token,
  requestsPerMinute,
  budget: memory,
  onAnswer,
  times
}: TradierRestSettings): TradierRest {
  const { answer: time, minute } = { ...usual, ...times }
  // Longer waits for the request budget are refused, so that the caller retries later.
  const budget = new RequestBudget(
    { requests: requestsPerMinute, every: minute },
    { memory, longestWait: usual.minute }
  )
  const source: HttpSource = {
    vendor: 'Tradier',
    limits: { time, size: SIZE_LIMIT },
    // Without the accept header the vendor responds in XML.
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    credentials: 'is the token of GAMMAWALL_TRADIER_TOKEN, or of its file, one of --tradier-url, and still valid?',
    budget,
    limit: limitOf,
    onAnswer
  }
  const unheard: HttpSource = { ...source, onAnswer: undefined }

  async function read({ path, query, method, isSecret }: TradierRequest, signal: AbortSignal): Promise<Buffer> {
    const address = `${url}${path}?${new URLSearchParams(query)}`
    for (let attempt = 1; ; attempt++) {
      try {
        const request = { address, method, held: undefined, now: Date.now(), signal }
        const answer = await fetchPayload(isSecret === true ? unheard : source, request)
        if (answer.status === 'changed') return answer.bytes
        throw new SourceError('unavailable', `Tradier has nothing at ${path}: is --tradier-url its address?`)
      } catch (error) {
        if (attempt === ATTEMPTS || !isTemporary(error, SHORT_REST)) throw error
        await budget.turn(signal)
      }
    }
  }

  return {
    budget,
    async ask(requests, signal) {
      const bodies: Buffer[] = []
      const asked = performance.now()
      let waited = 0
      const { room } = budget
      for (let from = 0; from < requests.length; from += room) {
        const together = requests.slice(from, from + room)
        await budget.turn(signal, together.length)
        if (from === 0) waited = performance.now() - asked
        bodies.push(...(await atOnce(together, read, signal)))
      }
      return { bodies, waited }
    }
  }
}

/** Runs requests with limited parallelism; when one fails, the others are aborted. */
async function atOnce(
  requests: readonly TradierRequest[],
  read: (request: TradierRequest, signal: AbortSignal) => Promise<Buffer>,
  signal: AbortSignal
): Promise<readonly Buffer[]> {
  const bodies: Buffer[] = []
  const waiting = requests.entries()
  await allOrAbort(signal, (either) =>
    Array.from({ length: AT_ONCE }, async () => {
      for (const [at, request] of waiting) bodies[at] = await read(request, either)
    })
  )
  return bodies
}

/** Request limit stated in the vendor's headers, which give the end of its minute in milliseconds since 1970. */
function limitOf(headers: Headers, now: Instant): StatedLimit | undefined {
  const [left, endsAt] = [count(headers, 'available'), count(headers, 'expiry')]
  if (left === undefined || endsAt === undefined) return undefined
  return { allowed: count(headers, 'allowed'), left, endsIn: Math.max(0, endsAt - now) }
}

function count(headers: Headers, name: string): number | undefined {
  const text = headers.get(`x-ratelimit-${name}`) ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
