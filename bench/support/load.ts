import { connect, type Socket } from 'node:net'

export interface Load {
  readonly perSecond: number
  /** Milliseconds below which half of the answers arrived, 99 of 100, and all. */
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/** Requests of a load, and how they are sent. */
export interface Asking {
  /** Scheme, host and port. */
  readonly base: string
  readonly headers: Readonly<Record<string, string>>
  /** Path and query of the next request. */
  readonly next: () => string
  readonly connections: number
  readonly seconds: number
  /** Keeps the client awake between answers: else the server pays for waking it, and a slower server for more of that. */
  readonly awake: boolean
  /** Milliseconds that a connection rests after an answer; the connections begin one after the other within a rest. */
  readonly rest?: number
}

/**
 * Asks over and over on a few connections that are kept open, one request at a time on each. It reads as little of an answer
 * as it takes to know where it ends, so that the server and not the client is what is measured.
 */
export async function load({ base, headers, next, connections, seconds, awake, rest = 0 }: Asking): Promise<Load> {
  const { hostname, port, host } = new URL(base)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = () => `GET ${next()} HTTP/1.1\r\n${lines.join('')}\r\n`
  const times: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + 1000 * seconds
  let isAwake = awake
  const stayAwake = () => isAwake && setImmediate(stayAwake)
  stayAwake()
  const open = () => connect({ host: hostname, port: Number(port), noDelay: true })
  const connection = async (_: unknown, k: number) => {
    if (rest > 0) await new Promise((begin) => setTimeout(begin, (rest * k) / connections))
    return askUntil(open(), request, rest, endsAt, times)
  }
  await Promise.all(Array.from({ length: connections }, connection))
  isAwake = false
  const elapsed = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  return { perSecond: times.length / elapsed, p50: quantile(0.5), p99: quantile(0.99), longest: quantile(1) }
}

function askUntil(socket: Socket, request: () => string, rest: number, endsAt: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let missing = 0
    const ask = () => {
      sentAt = performance.now()
      socket.write(request(), 'latin1')
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('data', (bytes) => {
      missing = missing > 0 ? missing - bytes.length : answerSize(bytes) - bytes.length
      if (missing > 0) return
      const now = performance.now()
      times.push(now - sentAt)
      if (now < endsAt) return rest === 0 ? ask() : void setTimeout(ask, rest)
      socket.destroy()
      resolve()
    })
  })
}

const endOfHeaders = Buffer.from('\r\n\r\n')
const lengthHeader = Buffer.from('content-length: ')

/** Bytes of a whole answer, from the packet that begins it. Throws on anything but 200, and 304, which has no body. */
function answerSize(bytes: Buffer): number {
  const status = bytes.toString('latin1', 9, 12)
  if (status === '304') return bytes.indexOf(endOfHeaders) + endOfHeaders.length
  if (status !== '200') throw new Error(`the server answered ${status}: ${bytes.toString('latin1').slice(0, 400)}`)
  const at = bytes.indexOf(lengthHeader) + lengthHeader.length
  return bytes.indexOf(endOfHeaders) + endOfHeaders.length + Number.parseInt(bytes.toString('latin1', at, at + 9), 10)
}
