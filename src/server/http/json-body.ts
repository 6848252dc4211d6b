import type { FastifyRequest } from 'fastify'
import { apiError } from '../../api/error.ts'
import { printable } from '../../api/params.ts'

/** Deeper than any documented body, and shallow enough for every recursive reader of it. */
const MAX_DEPTH = 32

/** The JSON a client sent, or the refusal that says what is wrong with it. */
export function readJson(request: FastifyRequest): unknown {
  const body = request.body as Buffer | undefined
  if (body === undefined || body.length === 0) throw apiError('invalid_body', 'the body is empty: send a JSON object')
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) {
    throw apiError('invalid_body', 'the body must be sent as content type application/json')
  }
  const text = body.toString('utf8')
  if (depthOf(text) > MAX_DEPTH) throw apiError('invalid_body', `the body is nested deeper than ${MAX_DEPTH} levels`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw apiError('invalid_body', `the body is not JSON: ${printable((error as Error).message, 120)}`)
  }
}

/** How deep brackets nest, those inside strings left out. */
function depthOf(text: string): number {
  let depth = 0
  let most = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (quoted) {
      if (c === '\\') i++
      else if (c === '"') quoted = false
    } else if (c === '"') quoted = true
    else if (c === '[' || c === '{') most = Math.max(most, ++depth)
    else if (c === ']' || c === '}') depth--
  }
  return most
}
