import type { Instant } from '../../market/units.ts'
import type { AnswerListener } from '../port/capture/capture.ts'
import { fetchPayload, type HttpSource } from '../port/http/fetch-payload.ts'
import { RequestBudget, type StatedLimit } from '../port/http/request-budget.ts'
import { SeenPages } from '../port/http/seen-pages.ts'
import type { VendorFields } from '../port/http/vendor-fields.ts'
import { isTemporary, SourceError } from '../port/source-error.ts'
import { alpacaReader } from './alpaca-fields.ts'

/** API keys of an account. They are sent only to the addresses in the settings. */
export interface AlpacaKeys {
  readonly key: string
  readonly secret: string
}

export interface AlpacaRestSettings extends AlpacaKeys {
  /** Address of the market data API, without a trailing slash. */
  readonly url: string
  /** Address of the account API, which lists contracts. */
  readonly tradingUrl: string
  readonly requestsPerMinute: number
  /** Shared memory in which all threads count their requests. */
  readonly budget?: SharedArrayBuffer | undefined
  readonly onAnswer?: AnswerListener | undefined
  /** Timeouts, milliseconds. A timeout that is left out has its usual value. */
  readonly times?: Partial<AlpacaRestTimes>
}

export interface AlpacaRestTimes {
  /** Time limit of one response, milliseconds. */
  readonly answer: number
  /** Length of the window in which the vendor counts requests, milliseconds. */
  readonly minute: number
}

export interface AlpacaRequest {
  readonly of: 'data' | 'account'
  /** Path below the address, e.g. `/v2/stocks/SPY/snapshot`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

export interface AlpacaRest {
  readonly budget: RequestBudget
  /**
   * Sends one request and parses the response; undefined if the vendor answers 404. `places` is how many requests the
   * budget has already granted to the caller; with 0, the request first waits for the budget. Rejects with a
   * `SourceError`, or with the signal's reason.
   */
  answer(request: AlpacaRequest, signal: AbortSignal, places?: number): Promise<VendorFields | undefined>
  pages(request: AlpacaRequest, signal: AbortSignal, places?: number): AsyncGenerator<VendorFields>
}

const usual: AlpacaRestTimes = { answer: 20_000, minute: 60_000 }
const SIZE_LIMIT = 64 * 2 ** 20
/** Maximum number of pages of a list; a busy day of one contract has a few tens. */
const MAX_PAGES = 2000
/**
 * Longest time that a request may wait for the request budget, milliseconds. A request that would wait longer is
 * refused, so that the caller retries later.
 */
const MAX_WAIT = 60_000
/** Attempts per request: one retry after a temporary failure. */
const ATTEMPTS = 2
/** Longest pause that the vendor may request before a retry, milliseconds. After a longer one the request fails. */
const SHORT_REST = 5000

export function createAlpacaRest(settings: AlpacaRestSettings): AlpacaRest {
  const { url, tradingUrl, key, secret, requestsPerMinute, budget: memory, onAnswer, times } = settings
  const { answer: time, minute } = { ...usual, ...times }
  const budget = new RequestBudget({ requests: requestsPerMinute, every: minute }, { memory, longestWait: MAX_WAIT })
  const account: HttpSource = {
    vendor: 'Alpaca',
    limits: { time, size: SIZE_LIMIT },
    headers: { accept: 'application/json', 'apca-api-key-id': key, 'apca-api-secret-key': secret },
    credentials:
      'are GAMMAWALL_ALPACA_KEY and GAMMAWALL_ALPACA_SECRET of one account, of paper or live as --alpaca-trading-url is, and does its plan include --alpaca-feed and --alpaca-stocks?',
    budget,
    onAnswer
  }
  // Alpaca counts requests to its two APIs separately; we read only the limit that the market data API states.
  const data: HttpSource = { ...account, limit: limitOf }
  const sources = { data: { source: data, url }, account: { source: account, url: tradingUrl } }

  /** Sends one request and parses the response. The caller has already waited for the request budget. */
  async function read({ of, path, query }: AlpacaRequest, signal: AbortSignal): Promise<VendorFields | undefined> {
    const { source, url } = sources[of]
    const address = `${url}${path}?${new URLSearchParams(query)}`
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await fetchPayload(source, { address, held: undefined, now: Date.now(), signal })
        return answer.status === 'changed' ? alpacaReader.body(answer.bytes) : undefined
      } catch (error) {
        if (attempt === ATTEMPTS || !isTemporary(error, SHORT_REST)) throw error
        await budget.turn(signal)
      }
    }
  }

  return {
    budget,
    async answer(request, signal, places = 0) {
      if (places === 0) await budget.turn(signal)
      return read(request, signal)
    },
    async *pages(request, signal, places = 0) {
      const seen = new SeenPages(MAX_PAGES)
      let left = places
      for (let token: string | undefined = ''; token !== undefined; ) {
        if (left-- <= 0) await budget.turn(signal)
        const query: Record<string, string> = { ...request.query, ...(token === '' ? {} : { page_token: token }) }
        const page = await read({ ...request, query }, signal)
        if (page === undefined) {
          throw new SourceError(
            'unavailable',
            `Alpaca has nothing at ${request.path}: are --alpaca-url and --alpaca-trading-url its addresses?`
          )
        }
        token = nextOf(page)
        if (token !== undefined && !seen.follow(token)) {
          throw alpacaReader.malformed('its pages do not end (next_page_token)')
        }
        if (!seen.take(rowsOf(page))) throw alpacaReader.malformed('a page of it comes again (next_page_token)')
        yield page
      }
    }
  }
}

/** Token of the next page; undefined on the last page. */
function nextOf(page: VendorFields): string | undefined {
  if (page['next_page_token'] === null) return undefined
  return alpacaReader.text(page, 'next_page_token') || undefined
}

function rowsOf(page: VendorFields): object {
  return Object.values(page).find((value): value is object => typeof value === 'object' && value !== null) ?? {}
}

/** Request limit stated in the vendor's headers, which give the end of its window in seconds since 1970. */
function limitOf(headers: Headers, now: Instant): StatedLimit | undefined {
  const [left, endsAt] = [count(headers, 'remaining'), count(headers, 'reset')]
  if (left === undefined || endsAt === undefined) return undefined
  return { allowed: count(headers, 'limit'), left, endsIn: Math.max(0, 1000 * endsAt - now) }
}

function count(headers: Headers, name: string): number | undefined {
  const text = headers.get(`x-ratelimit-${name}`) ?? ''
  return /^\d{1,12}$/.test(text) ? Number(text) : undefined
}
