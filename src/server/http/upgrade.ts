import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Headers that ask for another protocol. They are removed if the connection stays with HTTP/1.1. */
const hopHeaders = ['upgrade', 'http2-settings']

/**
 * Answers a request for another protocol as plain HTTP/1.1. To do so it gives the request and the bytes that followed
 * back to the server, without the headers that ask for the change. Many clients offer h2c with every request and accept
 * HTTP/1.1 if that is refused (RFC 9110, section 7.8). Without this listener Node would answer such a request too, but
 * lose the next one in the same packet (Node 20 to 24).
 */
export function answerWithoutUpgrade(this: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), head]))
  whenAnswered(socket as AnsweringSocket, () => {
    if (!socket.destroyed) this.emit('connection', socket)
  })
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let k = 0; k < rawHeaders.length; k += 2) {
    const [name, value] = [rawHeaders[k], rawHeaders[k + 1]]
    if (hopHeaders.includes(name.toLowerCase())) continue
    if (name.toLowerCase() !== 'connection') lines.push(`${name}: ${value}`)
    else {
      const others = value.split(',').filter((option) => !hopHeaders.includes(option.trim().toLowerCase()))
      if (others.length > 0) lines.push(`${name}: ${others.join(',')}`)
    }
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** A socket of Node's HTTP server. Node stores on it the response that is being sent. */
interface AnsweringSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null
}

/**
 * Calls `then` once the earlier requests of the connection have their responses. Responses must be sent in the order of
 * the requests.
 */
function whenAnswered(socket: AnsweringSocket, then: () => void): void {
  const current = socket._httpMessage
  if (current === undefined || current === null) then()
  else current.once('close', () => setImmediate(whenAnswered, socket, then))
}
