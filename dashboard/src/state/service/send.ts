import { ApiError } from 'gammawall/client'
import { isSignedIn } from './sign-in.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Requests what belongs to an account. The header proves that the request comes from this page: other origins cannot
 * send it.
 */
export async function send(method: Method, path: string, body?: unknown): Promise<unknown> {
  return (await sendHeld(method, path, body)).answer
}

interface Held {
  readonly answer: unknown
  /** Names the state that was answered. */
  readonly etag: string | undefined
}

/** Like `send`. A change is made only from the state that `held` names. */
export async function sendHeld(method: Method, path: string, body?: unknown, held?: string): Promise<Held> {
  const headers = {
    'x-gammawall': '1',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(held !== undefined && { 'if-match': held })
  }
  const response = await answered(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const answer = await response.json().catch(() => ({}))
  return { answer, etag: response.headers.get('etag') ?? undefined }
}

/** Requests an answer that is text, such as levels for a charting program. Throws ApiError, as when it is given up. */
export async function readText(path: string, signal: AbortSignal): Promise<string> {
  return (await answered(path, { signal })).text()
}

/** The response of the service if it is no refusal. */
async function answered(path: string, request: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, request)
  } catch (cause) {
    throw new ApiError('unreachable', 'the service does not answer', { cause })
  }
  if (response.ok) return response
  const answer = await response.json().catch(() => ({}))
  const { status } = response
  if (status === 401) isSignedIn.value = false
  const { error = 'unreadable', message = `the service answers with status ${status}`, ...detail } = answer
  throw new ApiError(error, message, { status, detail })
}
