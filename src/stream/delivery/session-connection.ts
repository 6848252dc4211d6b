import type { ErrorFrame, Notice, ServerFrame } from '../../api/stream-frames.ts'
import type { Instant } from '../../market/units.ts'
import {
  DEFAULT_HEARTBEAT,
  HIGH_WATER_MARK,
  MAX_SERVER_FRAME_BYTES,
  MAX_UNSENT_REPLIES,
  MAX_UNSENT_REPLY_BYTES,
  SLOW_CLOSE_AFTER,
  SLOW_NOTICE_AFTER
} from '../protocol/limits.ts'
import type { CadenceWindows, WindowListener } from './cadence-windows.ts'
import type { StreamSubscription } from './stream-subscription.ts'
import { BATCH_OVERHEAD, batchFrame, updateFrame } from './update-frame.ts'
import { FrameWriter, utf8Bytes, type Wire } from './websocket-frames.ts'

export interface ConnectionContext {
  readonly windows: CadenceWindows
  /** Clock of stamps; `steadyNow` is the clock of periods, milliseconds. */
  readonly wallNow: () => Instant
  readonly steadyNow: () => number
  readonly onSent: (frames: number) => void
  readonly onSkipped: (frames: number) => void
}

export type CloseReason = readonly [code: number, reason: string]

/**
 * Sends frames to one client. Replies are queued in order. For updates only the subscription is queued, not the value,
 * so a slow reader gets fewer but current values, and unsent bytes stay below the high-water mark.
 */
export class SessionConnection implements WindowListener {
  readonly #wire: Wire
  readonly #context: ConnectionContext
  /** Serialized replies, as byte strings. */
  #replies: string[] = []
  #replyBytes = 0
  /** Subscriptions whose update can be sent as soon as the socket has room. */
  #ready: StreamSubscription[] = []
  /** Subscriptions whose update waits for the end of a cadence window, by cadence. */
  #waiting: Map<number, StreamSubscription[]> | undefined
  #isSendScheduled = false
  /** A heartbeat is sent after this many milliseconds without a frame; 0 means never. */
  heartbeat = DEFAULT_HEARTBEAT
  batch = false
  /** When a frame was sent last, on the steady clock. */
  sentAt: number
  closed: CloseReason | undefined
  /** When the client fell behind, on the steady clock; undefined while it keeps up. */
  #behindSince: number | undefined
  #progressAt = 0
  #lastUnsent = 0
  #skipped = 0

  constructor(wire: Wire, context: ConnectionContext) {
    this.#wire = wire
    this.#context = context
    this.sentAt = context.steadyNow()
  }

  /** Whether frames are waiting because the client reads too slowly. */
  get isBehind(): boolean {
    return this.#behindSince !== undefined
  }

  /** Queues a reply, error or notice. They are sent in order, before any updates. */
  reply(frame: ServerFrame): void {
    if (this.closed !== undefined) return
    const reply = utf8Bytes(JSON.stringify(frame))
    this.#replies.push(reply)
    this.#replyBytes += reply.length
    const isTooMuch = this.#replies.length > MAX_UNSENT_REPLIES || this.#replyBytes > MAX_UNSENT_REPLY_BYTES
    if (isTooMuch) this.close(4409, 'too many unsent replies')
    else this.#sendSoon()
  }

  enqueue(subscription: StreamSubscription): void {
    if (subscription.queued) {
      if (this.#behindSince !== undefined) this.#skipped++
      return
    }
    subscription.queued = true
    const { cadence, isFirst } = subscription
    if (cadence === 0 || isFirst) {
      this.#ready.push(subscription)
      this.#sendSoon()
      return
    }
    const lists = (this.#waiting ??= new Map())
    const waiting = lists.get(cadence)
    if (waiting !== undefined) waiting.push(subscription)
    else {
      lists.set(cadence, [subscription])
      this.#context.windows.awaitEnd(cadence, this)
    }
  }

  /** Removes a subscription from the queues when its settings change. */
  dequeue(subscription: StreamSubscription): void {
    if (!subscription.queued) return
    subscription.queued = false
    this.#waiting?.forEach((list, cadence, lists) => {
      lists.set(
        cadence,
        list.filter((other) => other !== subscription)
      )
    })
    this.#ready = this.#ready.filter((other) => other !== subscription)
  }

  windowEnded(cadence: number): void {
    const waiting = this.#waiting?.get(cadence)
    this.#waiting?.delete(cadence)
    if (this.closed !== undefined || waiting === undefined) return
    if (this.#ready.length === 0) this.#ready = waiting
    else for (const subscription of waiting) this.#ready.push(subscription)
    this.send()
  }

  /** Called when the socket has room again. */
  drained(): void {
    if (this.closed !== undefined) return
    const since = this.#behindSince
    if (since !== undefined && this.#wire.unsent < HIGH_WATER_MARK) {
      this.#behindSince = undefined
      const { steadyNow, wallNow } = this.#context
      if (steadyNow() - since >= SLOW_NOTICE_AFTER) {
        const message = 'values were replaced by newer ones because they were not read in time'
        const ts = wallNow()
        const notice: Notice = { type: 'notice', code: 'slow_consumer', message, skipped: this.#skipped, ts }
        this.reply(notice)
        this.#context.onSkipped(this.#skipped)
        this.#skipped = 0
      }
    }
    this.send()
  }

  /** Closes the connection if the client has stopped reading. Called about once a second. */
  checkProgress(now: number): void {
    if (this.#behindSince === undefined) return
    this.#measureProgress(now)
    if (now - this.#progressAt >= SLOW_CLOSE_AFTER) this.close(4409, 'too slow')
  }

  /** Sends as many queued replies as there is room for, then a close frame. */
  close(code: number, reason: string): void {
    if (this.closed !== undefined) return
    this.closed = [code, reason]
    const out = new FrameWriter(this.#wire)
    this.#putReplies(out)
    out.finish()
    this.#wire.close(code, reason)
    this.#replies = []
    this.#ready = []
    this.#waiting = undefined
  }

  /** Drops all queued frames. Called when the socket has closed. */
  lost(): void {
    this.closed ??= [1006, '']
    this.#replies = []
    this.#ready = []
    this.#waiting = undefined
  }

  /** Sends queued frames while there is room, in as few writes as possible. */
  send(): void {
    if (this.closed !== undefined) return
    // Measure the client's progress before filling the room that it has made.
    if (this.#behindSince !== undefined) this.#measureProgress(this.#context.steadyNow())
    const out = new FrameWriter(this.#wire)
    const frames = this.#putReplies(out) + (this.#replies.length === 0 ? this.#putUpdates(out) : 0)
    out.finish()
    if (frames > 0) {
      this.sentAt = this.#context.steadyNow()
      this.#context.onSent(frames)
    }
    const isStuck = this.#wire.unsent >= HIGH_WATER_MARK && (this.#replies.length > 0 || this.#ready.length > 0)
    if (isStuck && this.#behindSince === undefined) {
      this.#behindSince = this.#progressAt = this.#context.steadyNow()
    }
    this.#lastUnsent = this.#wire.unsent
  }

  #measureProgress(now: number): void {
    const { unsent } = this.#wire
    if (unsent < this.#lastUnsent) this.#progressAt = now
    this.#lastUnsent = unsent
  }

  #sendSoon(): void {
    if (this.#isSendScheduled) return
    this.#isSendScheduled = true
    queueMicrotask(() => {
      this.#isSendScheduled = false
      this.send()
    })
  }

  /** Writes replies while there is room; returns their number. */
  #putReplies(out: FrameWriter): number {
    let put = 0
    for (; put < this.#replies.length && out.hasRoom; put++) {
      this.#replyBytes -= this.#replies[put].length
      out.put(this.#replies[put])
    }
    if (put > 0) this.#replies = put === this.#replies.length ? [] : this.#replies.slice(put)
    return put
  }

  /** Writes updates while there is room; returns the number of frames. */
  #putUpdates(out: FrameWriter): number {
    const ready = this.#ready
    if (ready.length === 0) return 0
    let frames = 0
    let batch = ''
    const put = (payload: string) => {
      out.put(payload)
      frames++
    }
    let k = 0
    for (; k < ready.length && out.hasRoom; k++) {
      const frame = this.#frameOf(ready[k])
      if (frame === undefined) continue
      if (!this.batch) put(frame)
      else if (batch.length + frame.length + BATCH_OVERHEAD <= MAX_SERVER_FRAME_BYTES)
        batch += batch === '' ? frame : `,${frame}`
      else {
        if (batch !== '') put(batchFrame(batch))
        batch = frame
      }
    }
    if (batch !== '') put(batchFrame(batch))
    this.#ready = k === ready.length ? [] : ready.slice(k)
    return frames
  }

  /** Update frame with the newest value of a subscription; undefined if there is nothing to send. */
  #frameOf(subscription: StreamSubscription): string | undefined {
    subscription.queued = false
    const { metric, head, isFirst } = subscription
    if (!subscription.open || metric.value === undefined) return undefined
    if (subscription.onChange && !isFirst && subscription.sent === metric.value) return undefined
    const frame = updateFrame(head, metric.tail(metric.feed.stale), isFirst)
    const isTooLarge = frame.length + (this.batch ? BATCH_OVERHEAD : 0) > MAX_SERVER_FRAME_BYTES
    if (isTooLarge && !subscription.oversized) this.#replyTooLarge(subscription, frame.length)
    subscription.oversized = isTooLarge
    if (isTooLarge) return undefined
    subscription.isFirst = false
    subscription.lastSeq = metric.seq
    subscription.sent = metric.value
    return frame
  }

  #replyTooLarge({ id }: StreamSubscription, bytes: number): void {
    const message = `the value takes ${bytes} bytes, and a frame at most ${MAX_SERVER_FRAME_BYTES}`
    const ts = this.#context.wallNow()
    this.reply({ type: 'error', code: 'value_too_large', message, sub_id: id, ts } satisfies ErrorFrame)
  }
}
