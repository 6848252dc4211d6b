import WebSocket from 'ws'
import type { FrameListener } from '../capture/capture.ts'
import { masked, withoutSecrets } from '../capture/masked.ts'
import { SourceError, type SourceFault } from '../source-error.ts'

export interface FollowOptions {
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  /** As sentences name it: "Tradier". */
  readonly vendor: string
  /** They stand in no sentence, and in no text that is told to `onRaw`. */
  readonly secrets: readonly string[]
  /** No frame of the vendor is larger, bytes. */
  readonly maxFrame: number
  /** Whether frames may come compressed. */
  readonly compressed?: boolean
  /** From the first packet until all is agreed, milliseconds. */
  readonly opening: number
  /** Our pings: milliseconds between two, and from one until anything is heard. Undefined: the vendor sends its own. */
  readonly pings?: { readonly every: number; readonly answer: number }
  /** How long nothing may be told once all is agreed, milliseconds; where a market is, for as long as it is busy. */
  readonly silence?: { readonly atMost: number; readonly isBusy?: () => boolean }
  /** What a refused handshake means, if not that the account may not. */
  readonly refusal?: SourceFault
  /** Added where the vendor closes the connection: what may be the cause. */
  readonly closing?: string
  /** Told of every frame as it came. */
  readonly onRaw?: FrameListener | undefined
}

/** A connection as the code of a vendor sees it. */
export interface FollowedSocket {
  /** Sends a message; nothing where the connection is not open. */
  send(message: string | Uint8Array): void
  /** All is agreed: the time for it is over. */
  opened(): void
  /** Runs something again and again for as long as the connection lasts. */
  every(milliseconds: number, run: () => void): void
  /** Ends the connection with a fault. */
  fail(fault: SourceFault, text: string): void
}

/** What the code of a vendor does. What it throws ends the connection, and nothing else. */
export interface SocketHandlers {
  readonly onConnect?: () => void
  /** Returns false where nothing was told that ends a silence. */
  readonly onMessage: (data: Buffer, isBinary: boolean) => unknown
  /** Everything that was sent before the answer to a ping has come. */
  readonly onPong?: () => void
  /** The signal has fired: a last word. */
  readonly onStop?: () => void
}

/** How long a vendor may take to say goodbye, milliseconds. */
const GOODBYE = 1000

/**
 * One connection from its beginning to its end. Resolves when the signal fires; rejects with a `SourceError` however else it
 * ends, with what the handlers throw as it is. Frames are handed on as they are read, and nothing is queued here: who is too
 * slow for the market is cut off by the vendor.
 */
export function followSocket(
  options: FollowOptions,
  begin: (socket: FollowedSocket) => SocketHandlers,
  signal: AbortSignal
): Promise<void> {
  const { address, headers, vendor, secrets, maxFrame, compressed = false, opening, pings, silence } = options
  const { refusal, closing, onRaw } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve()
    const socket = new WebSocket(address, {
      ...(headers !== undefined && { headers }),
      maxPayload: maxFrame,
      perMessageDeflate: compressed,
      followRedirects: false
    })
    const timers = new Set<NodeJS.Timeout>()
    let pong: NodeJS.Timeout | undefined
    let isOpen = false
    let toldAt = performance.now()

    const end = (error?: Error) => {
      for (const timer of timers) clearTimeout(timer)
      clearTimeout(pong)
      signal.removeEventListener('abort', stop)
      socket.removeAllListeners()
      socket.on('error', () => {}) // of what is under way
      if (error !== undefined || socket.readyState !== WebSocket.OPEN) socket.terminate()
      else {
        socket.close()
        setTimeout(() => socket.terminate(), GOODBYE).unref()
      }
      if (error === undefined) resolve()
      else reject(error)
    }
    const fail = (fault: SourceFault, text: string) => end(new SourceError(fault, masked(text, ...secrets)))
    const late = (milliseconds: number, text: string) =>
      fail('timeout', `the stream of ${vendor} ${text} ${milliseconds / 1000} s`)
    const guarded = (run: () => void) => {
      try {
        run()
      } catch (error) {
        end(error as Error)
      }
    }
    const stop = () =>
      guarded(() => {
        handlers.onStop?.()
        end()
      })

    const openingTimer = setTimeout(() => late(opening, 'was not open within'), opening)
    timers.add(openingTimer)
    const handlers = begin({
      send(message) {
        if (socket.readyState === WebSocket.OPEN) socket.send(message)
      },
      opened() {
        isOpen = true
        toldAt = performance.now()
        clearTimeout(openingTimer)
      },
      every: (milliseconds, run) => void timers.add(setInterval(() => guarded(run), milliseconds)),
      fail
    })

    const heard = () => {
      clearTimeout(pong)
      pong = undefined
    }
    if (pings !== undefined) {
      const ping = () => {
        if (socket.readyState !== WebSocket.OPEN || pong !== undefined) return
        socket.ping()
        pong = setTimeout(() => late(pings.answer, 'did not answer for'), pings.answer)
      }
      timers.add(setInterval(ping, pings.every))
    }
    if (silence !== undefined) {
      const { atMost, isBusy } = silence
      const listen = () => {
        if (!isOpen || isBusy?.() === false) toldAt = performance.now()
        else if (performance.now() - toldAt > atMost) {
          late(atMost, isBusy === undefined ? 'said nothing for' : 'told nothing of the market for')
        }
      }
      timers.add(setInterval(listen, Math.min(1000, atMost / 4)))
    }
    socket.on('open', () => guarded(() => handlers.onConnect?.()))
    socket.on('message', (data, isBinary) => {
      heard()
      guarded(() => {
        // It is a buffer, since the binary type was left alone.
        onRaw?.(isBinary ? (data as Buffer) : withoutSecrets(String(data), secrets))
        if (handlers.onMessage(data as Buffer, isBinary) !== false) toldAt = performance.now()
      })
    })
    socket.on('ping', heard) // the socket answers it by itself
    socket.on('pong', () => {
      heard()
      guarded(() => handlers.onPong?.())
    })
    socket.on('unexpected-response', (_, { statusCode = 0 }) =>
      fail(faultOf(statusCode, refusal), `the stream of ${vendor} answers with status ${statusCode}`)
    )
    socket.on('error', ({ message }) => fail('unavailable', `the stream of ${vendor} cannot be reached: ${message}`))
    socket.on('close', (code, reason) => {
      const why = reason.length === 0 ? '' : `, ${JSON.stringify(String(reason))}`
      fail('unavailable', `${vendor} closed the stream (${code}${why})${closing ?? ''}`)
    })
    signal.addEventListener('abort', stop)
  })
}

function faultOf(status: number, refusal: SourceFault = 'refused'): SourceFault {
  if (status === 429) return 'rate_limited'
  return status >= 500 || status === 0 ? 'unavailable' : refusal
}
