import { connect, type Socket } from 'node:net'

export interface Load {
  readonly perSecond: number
  /** Milliseconds below which 99 of 100 answers arrived. */
  readonly p99: number
}

/**
 * Asks for one path over and over on a few connections that are kept open, one request at a time on each. It reads as
 * little of an answer as it takes to know where it ends, so that the server and not the client is what is measured.
 */
export async function load(
  url: URL,
  headers: Readonly<Record<string, string>>,
  connections: number,
  seconds: number
): Promise<Load> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n${lines.join('')}\r\n`
  const times: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + 1000 * seconds
  // The client never sleeps: else the server would pay for waking it, and the slower server for more of that.
  let awake = true
  const stayAwake = () => awake && setImmediate(stayAwake)
  stayAwake()
  await Promise.all(Array.from({ length: connections }, () => askUntil(url, request, endsAt, times)))
  awake = false
  const elapsed = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  return { perSecond: times.length / elapsed, p99: times[Math.floor(times.length * 0.99)] }
}

function askUntil(url: URL, request: string, endsAt: number, times: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    let sentAt = 0
    let missing = 0
    const ask = () => {
      sentAt = performance.now()
      socket.write(request, 'latin1')
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('data', (bytes) => {
      missing = missing > 0 ? missing - bytes.length : answerSize(bytes) - bytes.length
      if (missing > 0) return
      const now = performance.now()
      times.push(now - sentAt)
      if (now < endsAt) return ask()
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
