import WebSocket from 'ws'
import { masked } from '../../port/masked.ts'
import { SourceError, type SourceFault } from '../../port/source-error.ts'
import { type FrameSink, readFrame } from './frame.ts'

export interface StreamLimits {
  /** From the first packet to the answer to the subscription, milliseconds. */
  readonly opening: number
  /** Without a word of the terminal, which says every second that it is there, milliseconds. */
  readonly silence: number
}

export interface StreamOptions extends Pick<FrameSink, 'trade' | 'quote' | 'refused'> {
  readonly address: string
  /** Unlike that of every request before. */
  readonly id: number
  readonly limits: StreamLimits
  /** Roots whose trades are read. */
  readonly isWanted: (root: string) => boolean
  /** The subscription stands and the terminal is connected: from now on everything is told. */
  readonly onOpen: () => void
  /** Everything that was traded until now has come. */
  readonly onHeard: () => void
  /** A frame has been read. */
  readonly onFrame: () => void
}

/** No frame of the terminal is larger, bytes. */
const MAX_FRAME = 2 ** 20

/** Answers to a subscription that end the connection. Source: ThetaData, Verify Stream Requests. */
const ends: Readonly<Record<string, readonly [SourceFault, string]>> = {
  INVALID_PERMS: ['refused', 'the account has no plan with all trades of options, which pro has'],
  MAX_STREAMS_REACHED: ['rate_limited', 'it streams too much already'],
  ERROR: ['unavailable', 'it could not subscribe']
}

/**
 * One connection from its beginning to its end: subscribes to all trades of options, then hands out frames. Resolves when the
 * signal fires; rejects with a `SourceError` however else it ends, with what its owner throws as it is.
 */
export function followStream(options: StreamOptions, signal: AbortSignal): Promise<void> {
  const { address, id, limits, isWanted, onOpen, onHeard, onFrame, trade, quote, refused } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve()
    const socket = new WebSocket(address, { maxPayload: MAX_FRAME, perMessageDeflate: false, followRedirects: false })
    let [isSubscribed, isConnected, isOpen] = [false, false, false]
    const say = (message: object) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message))

    const end = (error?: Error) => {
      clearTimeout(opening)
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      socket.removeAllListeners()
      socket.on('error', () => {}) // of what is under way
      // The terminal goes on receiving until it is told to stop.
      if (error === undefined) say({ msg_type: 'STOP', id: id + 1 })
      if (error === undefined && socket.readyState === WebSocket.OPEN) socket.close()
      else socket.terminate()
      if (error === undefined) resolve()
      else reject(error)
    }
    const stop = () => end()
    const fail = (fault: SourceFault, text: string) => end(new SourceError(fault, text))
    const seconds = (milliseconds: number) => `${milliseconds / 1000} s`

    const openIfReady = () => {
      if (isOpen || !isSubscribed || !isConnected) return
      isOpen = true
      clearTimeout(opening)
      silence.refresh()
      onOpen()
    }
    const sink: FrameSink = {
      trade,
      quote,
      refused,
      status(connected) {
        isConnected = connected
        if (isOpen && !connected) fail('unavailable', 'the Theta Terminal has lost its connection to ThetaData')
        else if (isOpen) onHeard()
        else openIfReady()
      },
      response(of, response) {
        if (of !== id) return
        const found = Object.hasOwn(ends, response) ? ends[response] : undefined
        if (found !== undefined) fail(found[0], `the Theta Terminal answers ${response} to a subscription: ${found[1]}`)
        else if (response !== 'SUBSCRIBED') refused('an unknown response')
        else {
          isSubscribed = true
          openIfReady()
        }
      }
    }

    socket.on('open', () => say({ msg_type: 'STREAM_BULK', sec_type: 'OPTION', req_type: 'TRADE', add: true, id }))
    socket.on('message', (data, isBinary) => {
      silence.refresh()
      try {
        if (isBinary) refused('a frame that is no text')
        else readFrame(String(data), isWanted, sink)
        if (isOpen) onFrame()
      } catch (error) {
        end(error as Error)
      }
    })
    socket.on('unexpected-response', (_, { statusCode = 0 }) =>
      fail(statusCode === 429 ? 'rate_limited' : 'unavailable', `the Theta Terminal answers with status ${statusCode}`)
    )
    socket.on('error', ({ message }) =>
      fail('unavailable', `the stream of the Theta Terminal cannot be reached: ${message}`)
    )
    socket.on('close', (code, reason) => {
      const why = reason.length === 0 ? '' : `, ${JSON.stringify(masked(String(reason), ''))}`
      fail('unavailable', `the Theta Terminal closed the stream (${code}${why}): it has room for one program`)
    })
    signal.addEventListener('abort', stop)
    const opening = setTimeout(
      () => fail('timeout', `the stream of the Theta Terminal was not open within ${seconds(limits.opening)}`),
      limits.opening
    )
    const silence = setTimeout(
      () => isOpen && fail('timeout', `the Theta Terminal said nothing for ${seconds(limits.silence)}`),
      limits.silence
    )
  })
}
