import { connect, type Socket } from 'node:net'

/** Opens many connections to a stream that receive everything but parse little, so that the server is measured. */
export interface Listening {
  /** Subscribes every connection to the same metrics. */
  subscribe(items: readonly object[]): Promise<void>
  /** Milliseconds from a value's time to its arrival, for a sample of frames. */
  times(): number[]
  forgetTimes(): void
  close(): void
}

const connectionsPerKey = 5
/** Bytes from one frame that is looked at to the next. */
const stride = 5000

/** Opens connections, five for each key, and subscribes them. `first` keeps their keys apart from those of others. */
export async function listen(
  port: number,
  connections: number,
  items: readonly object[],
  first = 0
): Promise<Listening> {
  let times: number[] = []
  const sockets: Socket[] = []
  for (let k = 0; k < connections; k += 50) {
    const batch = Array.from({ length: Math.min(50, connections - k) }, (_, i) =>
      open(port, `k${Math.floor((first + k + i) / connectionsPerKey)}`, (time) => times.push(time))
    )
    sockets.push(...(await Promise.all(batch)))
  }
  const subscribe = async (asked: readonly object[]) => {
    for (const socket of sockets) {
      for (let k = 0; k < asked.length; k += 100) {
        socket.write(clientFrame({ action: 'subscribe_many', items: asked.slice(k, k + 100) }))
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1500))
    times = []
  }
  if (items.length > 0) await subscribe(items)
  return {
    subscribe,
    times: () => times,
    forgetTimes: () => {
      times = []
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
    }
  }
}

const mark = Buffer.from('"ts":')

function open(port: number, key: string, onTime: (milliseconds: number) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.on('error', reject)
    socket.write(
      `GET /ws HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
        'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
    )
    socket.once('data', (bytes) => {
      if (bytes.toString('latin1', 9, 12) !== '101') reject(new Error(bytes.toString('latin1', 0, 300)))
      socket.on('data', (more) => {
        const now = Date.now()
        for (let at = more.indexOf(mark); at >= 0; at = more.indexOf(mark, at + stride)) {
          const made = Number(more.toString('latin1', at + mark.length, at + mark.length + 13))
          if (made > 1e12) onTime(now - made)
        }
      })
      resolve(socket)
    })
  })
}

/** A masked text frame; the mask is zero, so the payload stays as it is. */
function clientFrame(frame: object): Buffer {
  const payload = Buffer.from(JSON.stringify(frame))
  const short = payload.length < 126
  const head = Buffer.alloc(short ? 6 : 8)
  head[0] = 0x81
  head[1] = 0x80 | (short ? payload.length : 126)
  if (!short) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}
