import WebSocket from 'ws'
import { masked } from '../../port/masked.ts'
import { SourceError, type SourceFault } from '../../port/source-error.ts'

export interface StreamLimits {
  /** From the first packet to the subscription, milliseconds. */
  readonly opening: number
  /** Between two pings, and from one to its answer, milliseconds. */
  readonly ping: number
  readonly pong: number
}

export interface StreamOptions {
  readonly address: string
  /** Of the session, which is a secret as long as it lives. */
  readonly session: string
  readonly limits: StreamLimits
  /** The subscription is sent: from now on everything is told. `subscribe` changes it, as a whole. */
  readonly onOpen: (subscribe: (contracts: readonly string[]) => void) => void
  readonly onFrame: (text: string, connection: Connection) => void
  /** Everything that was sent before the answer to a ping has come. */
  readonly onPong: () => void
}

/** A connection as its owner sees it. */
export interface Connection {
  /** Takes an error that a frame told; true where it ends the connection. */
  error(text: string): boolean
}

/** No frame of the vendor is larger, bytes. */
const MAX_FRAME = 4 * 2 ** 20

/**
 * One connection of a session from its beginning to its end. Resolves when the signal fires; rejects with a `SourceError` however
 * else it ends, with what its owner throws as it is.
 */
export function followStream(options: StreamOptions, signal: AbortSignal): Promise<void> {
  const { address, session, limits, onOpen, onFrame, onPong } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve()
    const socket = new WebSocket(address, { maxPayload: MAX_FRAME, perMessageDeflate: false, followRedirects: false })
    let pong: NodeJS.Timeout | undefined

    const end = (error?: Error) => {
      clearTimeout(opening)
      clearInterval(pinging)
      clearTimeout(pong)
      signal.removeEventListener('abort', stop)
      socket.removeAllListeners()
      socket.on('error', () => {}) // of what is under way
      socket.terminate()
      if (error === undefined) resolve()
      else reject(error)
    }
    const stop = () => end()
    const fail = (fault: SourceFault, text: string) => end(new SourceError(fault, masked(text, session)))
    const seconds = (milliseconds: number) => `${milliseconds / 1000} s`

    /** What the owner throws ends the connection, and nothing else. */
    const guarded = (run: () => void) => {
      try {
        run()
      } catch (error) {
        end(error as Error)
      }
    }
    const heard = () => {
      clearTimeout(pong)
      pong = undefined
    }
    const subscribe = (symbols: readonly string[]) => {
      if (socket.readyState !== WebSocket.OPEN) return
      // With validOnly trades that are taken back, or corrected, would be left out.
      socket.send(
        JSON.stringify({ symbols, filter: ['timesale'], sessionid: session, linebreak: true, validOnly: false })
      )
    }
    const connection: Connection = {
      error(text) {
        const quoted = JSON.stringify(text)
        if (/too many|limit/i.test(text)) fail('rate_limited', `the stream of Tradier says ${quoted}`)
        else if (/session/i.test(text)) fail('unavailable', `the session of Tradier's stream has ended: ${quoted}`)
        else return false
        return true
      }
    }

    socket.on('open', () => {
      clearTimeout(opening)
      guarded(() => onOpen(subscribe))
    })
    socket.on('message', (data, isBinary) => {
      heard()
      guarded(() => onFrame(isBinary ? '' : String(data), connection))
    })
    socket.on('ping', heard) // it is answered by the socket itself
    socket.on('pong', () => {
      heard()
      guarded(onPong)
    })
    socket.on('unexpected-response', (_, { statusCode = 0 }) =>
      fail(faultOf(statusCode), `the stream of Tradier answers with status ${statusCode}`)
    )
    socket.on('error', ({ message }) => fail('unavailable', `the stream of Tradier cannot be reached: ${message}`))
    socket.on('close', (code, reason) => {
      const why = reason.length === 0 ? '' : `, ${JSON.stringify(String(reason))}`
      fail('unavailable', `Tradier closed the stream (${code}${why}): it allows one session for a user`)
    })
    signal.addEventListener('abort', stop)
    const opening = setTimeout(
      () => fail('timeout', `the stream of Tradier was not open within ${seconds(limits.opening)}`),
      limits.opening
    )
    const pinging = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN || pong !== undefined) return
      socket.ping()
      const late = () => fail('timeout', `the stream of Tradier did not answer for ${seconds(limits.pong)}`)
      pong = setTimeout(late, limits.pong)
    }, limits.ping)
  })
}

/** A session that has ended is refused; the next connection begins another one. */
function faultOf(status: number): SourceFault {
  return status === 429 ? 'rate_limited' : 'unavailable'
}
