import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

// One request and what came back: by Node's client for what is HTTP, by a bare socket for what is not.

export interface HostileRequest {
  readonly method: string
  /** Path and query as they are sent. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Milliseconds that an answer may take. The machine may be busy; nothing legitimate takes that long. */
const PATIENCE = 60_000

export const agent = new Agent({ keepAlive: true, maxSockets: 32 })

/** Methods that change nothing, however often they are sent. */
const SAFE = ['GET', 'HEAD', 'OPTIONS']

/**
 * Sends a request over a connection that is kept. The service may end an idle one at the very moment that a request goes out
 * on it: what is safe to repeat is then sent again, as HTTP has clients do (RFC 9112, 9.3.1).
 */
export function exchange(base: string, hostile: HostileRequest): Promise<Response> {
  const { method, target, headers, body } = hostile
  const { hostname, port } = new URL(base)
  // Node states no length for a body of GET, HEAD, DELETE or OPTIONS: the service would read it as the next request, and
  // refuse that to whoever comes next on the connection.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const options = { agent, hostname, port, method, path: target, headers: { ...length, ...headers }, timeout: PATIENCE }
  return new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const bytes = Buffer.concat(parts)
        try {
          const text =
            method === 'HEAD' ? bytes.toString() : plain(bytes, answer.headers['content-encoding']).toString()
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
        } catch (error) {
          reject(error)
        }
      })
    })
    sent.on('upgrade', (answer, socket) => {
      socket.destroy()
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: '' })
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${PATIENCE / 1000} s`)))
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const endedWhileIdle = sent.reusedSocket && error.code === 'ECONNRESET' && SAFE.includes(method)
      if (endedWhileIdle) resolve(exchange(base, hostile))
      else reject(error)
    })
    sent.end(body)
  })
}

function plain(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes
  if (encoding === 'gzip') return gunzipSync(bytes)
  if (encoding === 'br') return brotliDecompressSync(bytes)
  if (encoding === 'deflate') return inflateSync(bytes)
  return bytes
}

/** Milliseconds without another byte after which an answer to bytes counts as whole: a kept connection is not closed. */
const QUIET = 60

/** Writes bytes, says that no more come, and reads what comes back until the other side closes or has said its say. */
export function exchangeBytes(base: string, bytes: Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const socket = connect(Number(port), hostname)
    const silent = setTimeout(() => socket.destroy(new Error(`silent for ${PATIENCE / 1000} s`)), PATIENCE)
    socket.on('timeout', () => socket.destroy())
    socket.on('data', (part) => {
      parts.push(part)
      socket.setTimeout(QUIET)
    })
    // A connection that the service resets because it wants no more of the request is an answer too.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(Buffer.concat(parts)) : reject(error)
    )
    socket.on('close', () => {
      clearTimeout(silent)
      resolve(Buffer.concat(parts))
    })
    socket.end(bytes)
  })
}

/** The answers in what a socket brought, as far as they are whole HTTP with a length or to the end of the connection. */
export function responsesIn(bytes: Buffer): readonly Response[] {
  const found: Response[] = []
  let rest = bytes.toString('latin1')
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest)
    if (head === null) return found
    const lines = head[2].trimEnd().split('\r\n')
    const headers = Object.fromEntries(
      lines
        .filter(Boolean)
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()])
    )
    const from = head[0].length
    const length = headers['content-length'] === undefined ? rest.length - from : Number(headers['content-length'])
    const status = Number(head[1])
    const body = status < 200 ? '' : rest.slice(from, from + length)
    found.push({ status, headers, text: Buffer.from(body, 'latin1').toString() })
    rest = rest.slice(from + body.length)
  }
}
