import { ApiError } from 'gammawall/client'
import { isSignedIn } from './sign-in.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Requests what belongs to an account. The header proves that the request comes from this page: other origins cannot
 * send it.
 */
export async function send(method: Method, path: string, body?: unknown): Promise<unknown> {
  const headers = { 'x-gammawall': '1', ...(body !== undefined && { 'content-type': 'application/json' }) }
  const response = await answered(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return response.json().catch(() => ({}))
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
