import { apiErrorOf, RequestError } from './request-error.ts'

export interface Requester {
  readonly fetch: typeof fetch
  readonly key: string | undefined
  /** Maximum number of retries after a temporary refusal. */
  readonly retries: number
  /** Longest Retry-After to wait for, milliseconds; if it is longer, the request fails at once. */
  readonly longestWait: number
}

export interface Sent {
  readonly method: 'GET' | 'POST'
  readonly address: string
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export interface JsonAnswer {
  readonly json: unknown
  readonly headers: Headers
}

/**
 * Sends a request and parses the JSON response. A 429 or 503 with Retry-After is retried. Any other refusal throws a
 * RequestError, as does an unreadable or missing response.
 */
export async function request({ fetch, key, retries, longestWait }: Requester, sent: Sent): Promise<JsonAnswer> {
  for (let attempt = 0; ; attempt++) {
    const { status, headers, text } = await answerTo(fetch, key, sent)
    if (status >= 200 && status < 300) return { json: parsed(text, status), headers }
    const error = apiErrorOf(status, headers, text)
    const { retryAfter = Infinity } = error
    if ((status !== 429 && status !== 503) || attempt >= retries || retryAfter > longestWait) throw error
    await pause(retryAfter, sent.signal)
  }
}

async function answerTo(ask: typeof fetch, key: string | undefined, { method, address, body, signal }: Sent) {
  const headers = {
    ...(key !== undefined && { 'x-api-key': key }),
    ...(body !== undefined && { 'content-type': 'application/json' })
  }
  try {
    const more = { ...(body !== undefined && { body: JSON.stringify(body) }), ...(signal && { signal }) }
    const response = await ask(address, { method, headers, ...more })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    if (signal?.aborted) throw error
    throw new RequestError('unreachable', `${new URL(address).origin} does not answer`, { cause: error })
  }
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RequestError('unreadable', 'the answer is no JSON', { status, cause })
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
