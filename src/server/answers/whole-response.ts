import { type IncomingMessage, ServerResponse } from 'node:http'
import { flat } from '../operations/flat-text.ts'

/** How long a connection without requests is kept, milliseconds: longer than the minute that load balancers wait. */
export const KEEP_ALIVE_TIMEOUT = 72_000

/** Up to this size an answer is copied behind its head: two pieces would cost more to send than the copy. */
const MAX_COPIED = 16_384
const connection = `connection: keep-alive\r\nkeep-alive: timeout=${KEEP_ALIVE_TIMEOUT / 1000}\r\n\r\n`

/**
 * A response that can send an answer in one piece. Node's own way reads every header once more and hands the system
 * head, body and an empty end apart, which for a small answer takes longer than everything else that is done for it.
 */
export class WholeResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Whether an answer may be sent in one piece: it is this one's turn, and the connection stays open after it. */
  get takesWhole(): boolean {
    return this.shouldKeepAlive && this.socket !== null && !this.headersSent
  }

  /**
   * Sends status line and headers, each line ended, and a body whose length they state. The text is not looked at: it
   * must be Latin-1 and hold nothing a client wrote.
   */
  sendWhole(head: string, body: Buffer): void {
    const socket = this.socket!
    // What Node does once the last byte of a response has left: the connection is free for the next request. One that
    // broke before that closes, and the response with it.
    const sent = () => socket.destroyed || this.emit('finish')
    const start = head + endOfHead()
    this.finished = true
    if (body.length > MAX_COPIED) {
      socket.cork()
      socket.write(start, 'latin1')
      socket.write(body, sent)
      socket.uncork()
    } else {
      const whole = Buffer.allocUnsafe(start.length + body.length)
      whole.write(start, 'latin1')
      body.copy(whole, start.length)
      socket.write(whole, sent)
    }
  }
}

let second = 0
let written = ''

/** The headers that every connection's answers end with, the date among them: written anew once a second. */
function endOfHead(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    written = flat(`date: ${new Date(now * 1000).toUTCString()}\r\n${connection}`)
  }
  return written
}
