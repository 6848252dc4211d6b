import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Headers about a change of protocol, which are left out where it is not taken up. */
const hopHeaders = ['upgrade', 'http2-settings']

/**
 * Gives a request that asks for another protocol back to its server as one without an upgrade, with what came behind it.
 * Many clients offer h2c with every request, and are served HTTP/1.1 where that is not taken up (RFC 9110, section 7.8).
 * Without a listener Node answers such a request too, and loses the one behind it in the same packet (Node 20 to 24).
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

/** A socket of Node's HTTP server, which notes there the answer it is about to send or sending. */
interface AnsweringSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null
}

/** Calls back once earlier requests of the connection are answered: answers come in the order of their requests. */
function whenAnswered(socket: AnsweringSocket, then: () => void): void {
  const current = socket._httpMessage
  if (current === undefined || current === null) then()
  else current.once('close', () => setImmediate(whenAnswered, socket, then))
}
