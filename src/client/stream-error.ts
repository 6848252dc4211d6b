import type { ErrorFrame } from '../api/stream-frames.ts'

/** A refused command, or a stream that ended for good. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  /** Error code of the stream such as unknown_metric, or `closed` with the close code in `detail`. */
  readonly code: string
  /** Further fields of the error: candidates, limit and used, close code. */
  readonly detail: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, detail: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.detail = detail
  }
}

export function streamErrorOf(frame: Pick<ErrorFrame, 'code' | 'message'>): StreamError {
  const { code, message, type: _, ts: __, req_id: ___, ...detail } = frame as ErrorFrame
  return new StreamError(code, message, detail)
}

const meanings: Readonly<Record<number, string>> = {
  1009: 'a frame was too large for the server',
  4401: 'the key was revoked',
  4403: 'the streaming bundle has ended',
  4410: 'another connection took the subscriptions over',
  4429: 'the server refused too many commands'
}

/**
 * Decides what to do after a close code: end with an error, reconnect, or reconnect with doubled update intervals if
 * the client was too slow.
 */
export function afterClose(code: number): StreamError | 'reconnect' | 'slower' {
  if (Object.hasOwn(meanings, code)) return new StreamError('closed', meanings[code], { close_code: code })
  return code === 4409 ? 'slower' : 'reconnect'
}
