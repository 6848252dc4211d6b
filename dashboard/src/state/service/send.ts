import { ApiError } from 'gammawall/client'
import { isSignedIn } from './sign-in.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Requests what belongs to an account. The header proves that the request comes from this page: other origins cannot
 * send it.
 */
export async function send(method: Method, path: string, body?: unknown): Promise<unknown> {
  const headers = { 'x-gammawall': '1', ...(body !== undefined && { 'content-type': 'application/json' }) }
  let response: Response
  try {
    response = await fetch(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  } catch (cause) {
    throw new ApiError('unreachable', 'the service does not answer', { cause })
  }
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  const { status } = response
  if (status === 401) isSignedIn.value = false
  const { error = 'unreadable', message = `the service answers with status ${status}`, ...detail } = answer
  throw new ApiError(error, message, { status, detail })
}
