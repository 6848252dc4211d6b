import type { IncomingMessage } from 'node:http'
import { type ApiError, apiError } from '../../api/error.ts'

/** Whether a request has exactly one Host header, which HTTP/1.1 asks for (RFC 9112, section 3.2). */
export function hasOneHost({ rawHeaders, httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  let hosts = 0
  for (let k = 0; k < rawHeaders.length; k += 2) {
    const name = rawHeaders[k]
    if (name.length === 4 && (name === 'Host' || name === 'host' || name.toLowerCase() === 'host')) hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersionMajor === 1 && httpVersionMinor === 0)
}

/** Why the head of a request is refused before anything else of it is read; undefined for a sound one. */
export function headRefusal(request: IncomingMessage): ApiError | undefined {
  if (!hasOneHost(request)) return apiError('bad_address', 'the request must have one Host header')
  const { expect } = request.headers
  if (expect === undefined || request.httpVersionMinor === 0 || /(?:^|\W)100-continue(?:$|\W)/i.test(expect)) {
    return undefined
  }
  return apiError('expectation_failed')
}
