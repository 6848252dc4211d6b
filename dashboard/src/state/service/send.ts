import { ApiError } from 'gammawall/client'
import { isSignedIn } from './sign-in.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Asks for what belongs to an account. Changes by a session need a header that pages of other origins cannot send. */
export async function send(method: Method, path: string, body?: unknown): Promise<unknown> {
  const headers = { 'x-gammawall': '1', ...(body !== undefined && { 'content-type': 'application/json' }) }
  let response: Response
  try {
    response = await fetch(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  } catch (cause) {
    throw new ApiError('unreachable', 'the service does not answer', { cause })
  }
  const said = await response.json().catch(() => ({}))
  if (response.ok) return said
  const { status } = response
  if (status === 401) isSignedIn.value = false
  const { error = 'unreadable', message = `the service answers with status ${status}`, ...detail } = said
  throw new ApiError(error, message, { status, detail })
}
