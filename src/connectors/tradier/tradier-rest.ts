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
  /** Timeouts, milliseconds. A timeout that is left out has its usual value. */
  readonly times?: Partial<TradierRestTimes>
}

/** Timeouts, milliseconds. */
export interface TradierRestTimes {
  /** Time limit of one response, milliseconds. */
  readonly answer: number
  /** Length of the window in which the vendor counts requests, milliseconds. */
  readonly minute: number
}

export interface TradierRequest {
  /** Path below the address, e.g. `/markets/quotes`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly method?: 'POST'
  /** True if the response is secret, so that it is not recorded. */
  readonly isSecret?: boolean
}

export interface TradierAnswers {
  /** Response bodies, in the order of the requests. */
  readonly bodies: readonly Buffer[]
  /** Time that the first request waited for the request budget, milliseconds. */
  readonly waited: number
}

export interface TradierRest {
  readonly budget: RequestBudget
  /**
   * Makes requests that belong together. If the vendor's limit allows, all are made in the same minute of its count, so
   * that their responses are from about the same time. Rejects with a `SourceError`, or with the signal's reason.
   */
  ask(requests: readonly TradierRequest[], signal: AbortSignal): Promise<TradierAnswers>
}

/**
 * Usual timeouts. The vendor's minute begins with the first request; half a second is added so that it has surely
 * ended.
 */
const usual: TradierRestTimes = { answer: 10_000, minute: 60_500 }
const SIZE_LIMIT = 16 * 2 ** 20
/**
 * Time limit of a chain, milliseconds: one wait for its expirations, up to two for its contracts, and the responses.
 */
export const CHAIN_LIMIT = 3 * usual.minute
const AT_ONCE = 8
/**
 * Longest pause that the vendor may request before a retry, milliseconds. After a longer one the parts of a chain would
 * be from different times.
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
