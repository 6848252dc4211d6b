import { backOff } from '../../pacing/back-off.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import { masked } from '../port/capture/masked.ts'
import { fetchPayload, type HttpSource } from '../port/http/fetch-payload.ts'
import { RequestBudget } from '../port/http/request-budget.ts'
import { SeenPages } from '../port/http/seen-pages.ts'
import { SourceError } from '../port/source-error.ts'

export interface MassiveRestSettings {
  readonly url: string
  readonly key: string
  readonly requestsPerSecond: number
  /** Shared memory in which all threads count their requests. */
  readonly budget?: SharedArrayBuffer | undefined
  readonly onAnswer?: AnswerListener | undefined
}

export interface MassiveRest {
  readonly budget: RequestBudget
  /**
   * Requests the rows of a list, page by page; yields nothing if the path does not exist. Rejects with a `SourceError`,
   * or with the signal's reason.
   */
  pages(path: string, signal: AbortSignal): AsyncGenerator<readonly unknown[]>
}

const TIME_LIMIT = 20_000
const SIZE_LIMIT = 64 * 2 ** 20
/** Maximum number of pages of a list; a chain of SPX with 29,082 contracts has 117. */
const MAX_PAGES = 2000
/**
 * Longest time that a request may wait for the request budget, milliseconds. A request that would wait longer is
 * refused, so that the caller retries later.
 */
const MAX_WAIT = 60_000
const ATTEMPTS = 4
const pauses = { first: 500, longest: 10_000 }

/** Creates the REST client. All callers share one request budget, and temporary failures are retried. */
export function createMassiveRest({
  url,
  key,
  requestsPerSecond,
  budget: memory,
  onAnswer
}: MassiveRestSettings): MassiveRest {
  // Spaces requests evenly instead of allowing bursts.
  const budget = new RequestBudget({ requests: 1, every: 1000 / requestsPerSecond }, { memory, longestWait: MAX_WAIT })
  const source: HttpSource = {
    vendor: 'Massive',
    limits: { time: TIME_LIMIT, size: SIZE_LIMIT },
    headers: { accept: 'application/json', authorization: `Bearer ${key}` },
    credentials: 'is the key of GAMMAWALL_MASSIVE_KEY, or of its file, valid, and is this part of its plan?',
    budget,
    onAnswer
  }

  async function read(address: string, signal: AbortSignal): Promise<Page | undefined> {
    for (let failures = 0; ; ) {
      await budget.turn(signal)
      try {
        const answer = await fetchPayload(source, { address, held: undefined, now: Date.now(), signal })
        return answer.status === 'changed' ? massivePage(answer.bytes, key) : undefined
      } catch (error) {
        if (!(error instanceof SourceError) || error.fault === 'refused' || error.fault === 'malformed') throw error
        if (++failures === ATTEMPTS) throw error
        budget.rest(error.retryAfter ?? backOff(failures, pauses))
      }
    }
  }

  return {
    budget,
    async *pages(path, signal) {
      const seen = new SeenPages(MAX_PAGES)
      for (let next: string | undefined = path; next !== undefined; ) {
        if (!seen.follow(next)) throw malformed('its pages do not end')
        const page: Page | undefined = await read(`${url}${next}`, signal)
        if (page === undefined) {
          if (next === path) return
          throw new SourceError('unavailable', 'Massive has lost the next page of a list')
        }
        if (!seen.take(page.rows)) throw malformed('a page of it comes again')
        yield page.rows
        next = page.next
      }
    }
  }
}

interface Page {
  readonly rows: readonly unknown[]
  /** Path of the next page; undefined on the last page. */
  readonly next: string | undefined
}

/** Reads a page. For an empty list of bars the vendor omits the list and states a count of 0. */
export function massivePage(bytes: Buffer, key: string): Page {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString())
  } catch {
    throw malformed('it is not JSON, or not all of it')
  }
  if (typeof body !== 'object' || body === null) throw malformed('it is no object')
  const fields = body as Readonly<Record<string, unknown>>
  const { status, error } = fields
  if (status === 'NOT_AUTHORIZED')
    throw new SourceError('refused', 'the plan of the key at Massive does not include it')
  if (status === 'ERROR') throw malformed(typeof error === 'string' ? masked(error, key) : 'it is an error')
  const next = nextOf(fields['next_url'])
  const results = fields['results'] ?? (fields['resultsCount'] === 0 ? [] : undefined)
  if (!Array.isArray(results)) throw malformed('its results are no list')
  return { rows: results, next }
}

/**
 * Path of the next page. The host in the vendor's link is ignored, so that the API key goes only to the operator's
 * address.
 */
function nextOf(next: unknown): string | undefined {
  if (next === undefined || next === null || next === '') return undefined
  const address = typeof next === 'string' && URL.canParse(next) ? new URL(next) : undefined
  if (address === undefined) throw malformed('the address of its next page is none')
  return `${address.pathname}${address.search}`
}

const malformed = (what: string) => new SourceError('malformed', `an answer of Massive cannot be used: ${what}`)
