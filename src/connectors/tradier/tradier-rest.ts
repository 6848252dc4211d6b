import type { Instant } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import { fetchPayload, type HttpSource } from '../port/http/fetch-payload.ts'
import { RequestBudget, type StatedLimit } from '../port/http/request-budget.ts'
import { SourceError } from '../port/source-error.ts'

export interface TradierRestSettings {
  /** The address with its version, without a slash at its end. */
  readonly url: string
  readonly token: string
  readonly requestsPerMinute: number
  /** Where its requests are counted. */
  readonly budget?: SharedArrayBuffer | undefined
  readonly onAnswer?: AnswerListener | undefined
  /** Those of the vendor when undefined. */
  readonly times?: Partial<TradierRestTimes>
}

/** Milliseconds. */
export interface TradierRestTimes {
  /** For one answer. */
  readonly answer: number
  /** In which requests are counted. */
  readonly minute: number
}

export interface TradierRequest {
  /** Below the address: `/markets/quotes`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** GET where undefined. */
  readonly method?: 'POST'
  /** Its answer is a secret, which no capture keeps. */
  readonly isSecret?: boolean
}

/** Answers to requests that were made together. */
export interface TradierAnswers {
  /** In the order of the requests. */
  readonly bodies: readonly Buffer[]
  /** Milliseconds that the first request waited for its turn. */
  readonly waited: number
}

/** The vendor's REST interface. */
export interface TradierRest {
  readonly budget: RequestBudget
  /**
   * Makes requests that belong together: in one minute of the vendor, where its limit has room for them. Rejects with a
   * `SourceError`, or with the reason of the signal.
   */
  ask(requests: readonly TradierRequest[], signal: AbortSignal): Promise<TradierAnswers>
}

/** The vendor counts from the first request of a minute; so much more, and none comes before that is over for it too. */
const usual: TradierRestTimes = { answer: 10_000, minute: 60_500 }
const SIZE_LIMIT = 16 * 2 ** 20
/** All that a chain may take: a turn for its expirations, one for its contracts, which may need two, and the answers. */
export const CHAIN_LIMIT = 3 * usual.minute
const AT_ONCE = 8
/** A rest that is waited for in the middle of a chain, milliseconds: after a longer one its parts would be of two moments. */
const SHORT_REST = 5000
/** A request that failed in passing is made once more: it is one of many that make up a chain. */
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
  // A turn that is further away is refused: what waits for it is better asked for later.
  const budget = new RequestBudget(
    { requests: requestsPerMinute, every: minute },
    { memory, longestWait: usual.minute }
  )
  const source: HttpSource = {
    vendor: 'Tradier',
    limits: { time, size: SIZE_LIMIT },
    // Without the first it answers in XML.
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
        if (attempt === ATTEMPTS || !isPassing(error)) throw error
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

/** Whether it is worth a second attempt: what the vendor could not do, or did not want so close to the end of its minute. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof SourceError)) return false
  const { fault, retryAfter = Number.POSITIVE_INFINITY } = error
  return fault === 'unavailable' || (fault === 'rate_limited' && retryAfter <= SHORT_REST)
}

/** Some requests at a time; once one has failed those under way are ended, and no more are made. */
async function atOnce(
  requests: readonly TradierRequest[],
  read: (request: TradierRequest, signal: AbortSignal) => Promise<Buffer>,
  signal: AbortSignal
): Promise<readonly Buffer[]> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const bodies: Buffer[] = []
  const waiting = requests.entries()
  const worker = async () => {
    for (const [at, request] of waiting) bodies[at] = await read(request, either)
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  } catch (error) {
    failed.abort(error)
    throw error
  }
  return bodies
}

/** What the vendor's headers say of its limit; the end of its minute is in milliseconds since 1970. */
function limitOf(headers: Headers, now: Instant): StatedLimit | undefined {
  const [left, endsAt] = [count(headers, 'available'), count(headers, 'expiry')]
  if (left === undefined || endsAt === undefined) return undefined
  return { allowed: count(headers, 'allowed'), left, endsIn: Math.max(0, endsAt - now) }
}

function count(headers: Headers, name: string): number | undefined {
  const text = headers.get(`x-ratelimit-${name}`) ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
