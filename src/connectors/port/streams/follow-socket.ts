import WebSocket from 'ws'
import type { FrameListener } from '../capture/capture.ts'
import { masked, withoutSecrets } from '../capture/masked.ts'
import { SourceError, type SourceFault } from '../source-error.ts'

export interface FollowOptions {
  readonly address: string
  readonly headers?: Readonly<Record<string, string>>
  readonly vendor: string
  /** Secrets to mask in error messages and in texts for `onRaw`. */
  readonly secrets: readonly string[]
  /** Maximum size of a frame, bytes. */
  readonly maxFrame: number
  readonly compressed?: boolean
  /** Time limit from the first packet until the vendor's handshake is complete, milliseconds. */
  readonly opening: number
  /**
   * Pings that we send, milliseconds: `every` is the time between two pings, and `answer` the time limit until any data
   * arrives after one. Undefined if the vendor sends the pings.
   */
  readonly pings?: { readonly every: number; readonly answer: number }
  /**
   * Maximum silence after the handshake, milliseconds. If `isBusy` is given, the limit applies only while the market is
   * busy.
   */
  readonly silence?: { readonly atMost: number; readonly isBusy?: () => boolean }
  /** Fault reported if the vendor refuses the handshake; `refused` if undefined. */
  readonly refusal?: SourceFault
  /** Likely cause of a disconnect by the vendor, appended to the error. */
  readonly closing?: string
  /** Receives every raw frame. */
  readonly onRaw?: FrameListener | undefined
}

export interface FollowedSocket {
  send(message: string | Uint8Array): void
  /** Called by the vendor's code when its handshake is complete. The time limit of the handshake then ends. */
  opened(): void
  every(milliseconds: number, run: () => void): void
  fail(fault: SourceFault, text: string): void
}

/** Callbacks in the code for a vendor. If one throws, only this connection ends. */
export interface SocketHandlers {
  readonly onConnect?: () => void
  /** Handles a message. Returns false if the message does not count as the end of a silence. */
  readonly onMessage: (data: Buffer, isBinary: boolean) => unknown
  /** Called when a ping is answered: everything sent before has arrived. */
  readonly onPong?: () => void
  /** Called when the signal has fired: the last chance to send a message. */
  readonly onStop?: () => void
}

/** Milliseconds that a vendor may take to close the connection. */
const GOODBYE = 1000

/**
 * Follows one WebSocket connection from beginning to end. Resolves when the signal fires; otherwise rejects with a
 * `SourceError`, or with what a handler throws. Frames are passed on as they arrive and never queued: a vendor cuts off
 * a client that is too slow.
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
    let receivedAt = performance.now()

    const end = (error?: Error) => {
      for (const timer of timers) clearTimeout(timer)
      clearTimeout(pong)
      signal.removeEventListener('abort', stop)
      socket.removeAllListeners()
      socket.on('error', () => {}) // for errors of requests in progress
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
        receivedAt = performance.now()
        clearTimeout(openingTimer)
      },
      every: (milliseconds, run) => void timers.add(setInterval(() => guarded(run), milliseconds)),
      fail
    })

    const clearPong = () => {
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
        if (!isOpen || isBusy?.() === false) receivedAt = performance.now()
        else if (performance.now() - receivedAt > atMost) {
          late(atMost, isBusy === undefined ? 'said nothing for' : 'sent no market data for')
        }
      }
      timers.add(setInterval(listen, Math.min(1000, atMost / 4)))
    }
    socket.on('open', () => guarded(() => handlers.onConnect?.()))
    socket.on('message', (data, isBinary) => {
      clearPong()
      guarded(() => {
        // The data is a Buffer, since the binary type was not changed.
        onRaw?.(isBinary ? (data as Buffer) : withoutSecrets(String(data), secrets))
        if (handlers.onMessage(data as Buffer, isBinary) !== false) receivedAt = performance.now()
      })
    })
    socket.on('ping', clearPong) // the socket replies to pings by itself
    socket.on('pong', () => {
      clearPong()
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
