import type { Instant } from '../../market/units.ts'
import {
  MOST_UNSENT_REPLIES,
  MOST_UNSENT_REPLY_BYTES,
  SERVER_FRAME,
  SLOW_CLOSE,
  SLOW_NOTICE,
  UNSENT_MARK,
  USUAL_HEARTBEAT
} from '../catalog/limits.ts'
import { FrameWriter } from './frame-writer.ts'
import type { Subscription } from './subscription.ts'
import type { Windows } from './windows.ts'
import { bytesOf, type Wire } from './wire.ts'

/** What a connection needs of the channel it belongs to. */
export interface ConnectionContext {
  readonly windows: Windows
  readonly wallNow: () => Instant
  readonly onSent: (frames: number) => void
  readonly onSkipped: (frames: number) => void
}

export type CloseReason = readonly [code: number, reason: string]

/**
 * The way out to one client. Replies wait in order, updates as marks on their subscriptions: a slow reader gets fewer
 * and newer values, and never costs more memory than the mark of unsent bytes.
 */
export class Connection {
  readonly #wire: Wire
  readonly #context: ConnectionContext
  /** Replies as bytes. */
  #replies: string[] = []
  #replyBytes = 0
  #ready: Subscription[] = []
  readonly #waiting = new Map<number, Subscription[]>()
  #pumping = false
  heartbeat = USUAL_HEARTBEAT
  batch = false
  /** When the last frame went out. */
  sentAt: Instant
  closed: CloseReason | undefined
  #behindSince: Instant | undefined
  #progressAt: Instant = 0
  #lastUnsent = 0
  #skipped = 0

  constructor(wire: Wire, context: ConnectionContext) {
    this.#wire = wire
    this.#context = context
    this.sentAt = context.wallNow()
  }

  /** Whether the reader keeps up. */
  get isBehind(): boolean {
    return this.#behindSince !== undefined
  }

  /** Queues a reply, an error or a notice: they go before updates, in their order. */
  reply(frame: object): void {
    if (this.closed !== undefined) return
    const reply = bytesOf(JSON.stringify(frame))
    this.#replies.push(reply)
    this.#replyBytes += reply.length
    const isTooMuch = this.#replies.length > MOST_UNSENT_REPLIES || this.#replyBytes > MOST_UNSENT_REPLY_BYTES
    if (isTooMuch) this.close(4409, 'too many unsent replies')
    else this.#pumpSoon()
  }

  /** Marks a subscription as having something new to send. */
  offer(subscription: Subscription): void {
    if (subscription.due) {
      if (this.#behindSince !== undefined) this.#skipped++
      return
    }
    subscription.due = true
    const { cadence, snapshot } = subscription
    if (cadence === 0 || snapshot) {
      this.#ready.push(subscription)
      this.#pumpSoon()
      return
    }
    const waiting = this.#waiting.get(cadence)
    if (waiting !== undefined) waiting.push(subscription)
    else {
      this.#waiting.set(cadence, [subscription])
      this.#context.windows.note(cadence, this)
    }
  }

  /** Takes a subscription out of the window it waits in, because it has another one now or none. */
  withdraw(subscription: Subscription): void {
    if (!subscription.due) return
    subscription.due = false
    for (const [cadence, list] of this.#waiting) {
      this.#waiting.set(
        cadence,
        list.filter((other) => other !== subscription)
      )
    }
    this.#ready = this.#ready.filter((other) => other !== subscription)
  }

  /** The window of a cadence has ended. */
  flush(cadence: number): void {
    const waiting = this.#waiting.get(cadence)
    this.#waiting.delete(cadence)
    if (this.closed !== undefined || waiting === undefined) return
    if (this.#ready.length === 0) this.#ready = waiting
    else for (const subscription of waiting) this.#ready.push(subscription)
    this.pump()
  }

  /** The wire has room again. */
  drained(): void {
    if (this.closed !== undefined) return
    const since = this.#behindSince
    if (since !== undefined && this.#wire.unsent < UNSENT_MARK) {
      this.#behindSince = undefined
      const now = this.#context.wallNow()
      if (now - since >= SLOW_NOTICE) {
        const message = 'values were replaced by newer ones because they were not read in time'
        this.reply({ type: 'notice', code: 'slow_consumer', message, skipped: this.#skipped, ts: now })
        this.#context.onSkipped(this.#skipped)
        this.#skipped = 0
      }
    }
    this.pump()
  }

  /** Looks whether the reader makes progress. To be called every second or so. */
  checkProgress(now: Instant): void {
    if (this.#behindSince === undefined) return
    this.#noteProgress(now)
    if (now - this.#progressAt >= SLOW_CLOSE) this.close(4409, 'too slow')
  }

  /** Sends what waits in the order of the contract, then ends. */
  close(code: number, reason: string): void {
    if (this.closed !== undefined) return
    this.closed = [code, reason]
    const out = new FrameWriter(this.#wire)
    this.#putReplies(out)
    out.finish()
    this.#wire.close(code, reason)
    this.#replies = []
    this.#ready = []
    this.#waiting.clear()
  }

  /** The other side is gone. */
  lost(): void {
    this.closed ??= [1006, '']
    this.#replies = []
    this.#ready = []
    this.#waiting.clear()
  }

  /** Joins what is due into as few writes as possible, while the wire takes them. */
  pump(): void {
    if (this.closed !== undefined) return
    // Room that the reader made is seen before it is filled again.
    if (this.#behindSince !== undefined) this.#noteProgress(this.#context.wallNow())
    const out = new FrameWriter(this.#wire)
    const frames = this.#putReplies(out) + (this.#replies.length === 0 ? this.#putUpdates(out) : 0)
    out.finish()
    if (frames > 0) {
      this.sentAt = this.#context.wallNow()
      this.#context.onSent(frames)
    }
    const isStuck = this.#wire.unsent >= UNSENT_MARK && (this.#replies.length > 0 || this.#ready.length > 0)
    if (isStuck && this.#behindSince === undefined) {
      this.#behindSince = this.#progressAt = this.#context.wallNow()
    }
    this.#lastUnsent = this.#wire.unsent
  }

  #noteProgress(now: Instant): void {
    const { unsent } = this.#wire
    if (unsent < this.#lastUnsent) this.#progressAt = now
    this.#lastUnsent = unsent
  }

  #pumpSoon(): void {
    if (this.#pumping) return
    this.#pumping = true
    queueMicrotask(() => {
      this.#pumping = false
      this.pump()
    })
  }

  /** Returns how many frames it put out. */
  #putReplies(out: FrameWriter): number {
    let put = 0
    for (; put < this.#replies.length && out.hasRoom; put++) {
      this.#replyBytes -= this.#replies[put].length
      out.put(this.#replies[put])
    }
    if (put > 0) this.#replies = put === this.#replies.length ? [] : this.#replies.slice(put)
    return put
  }

  /** Returns how many frames it put out. */
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
      else if (batch.length + frame.length + batchEnds <= SERVER_FRAME) batch += batch === '' ? frame : `,${frame}`
      else {
        if (batch !== '') put(batchOf(batch))
        batch = frame
      }
    }
    if (batch !== '') put(batchOf(batch))
    this.#ready = k === ready.length ? [] : ready.slice(k)
    return frames
  }

  /** The newest value of a subscription as a frame; undefined where none is owed any more. */
  #frameOf(subscription: Subscription): string | undefined {
    subscription.due = false
    const { metric, head, snapshot } = subscription
    if (!subscription.open || metric.value === undefined) return undefined
    if (subscription.onChange && !snapshot && subscription.sent === metric.value) return undefined
    const tail = metric.tail(metric.feed.stale)
    const frame = snapshot ? `${head},"snapshot":true${tail}` : head + tail
    const isTooLarge = frame.length + (this.batch ? batchEnds : 0) > SERVER_FRAME
    if (isTooLarge && !subscription.oversized) this.#replyTooLarge(subscription, frame.length)
    subscription.oversized = isTooLarge
    if (isTooLarge) return undefined
    subscription.snapshot = false
    subscription.lastSeq = metric.seq
    subscription.sent = metric.value
    return frame
  }

  #replyTooLarge({ id }: Subscription, bytes: number): void {
    const message = `the value takes ${bytes} bytes, and a frame at most ${SERVER_FRAME}`
    this.reply({ type: 'error', code: 'value_too_large', message, sub_id: id, ts: this.#context.wallNow() })
  }
}

const batchOf = (updates: string) => `{"type":"batch","updates":[${updates}]}`
const batchEnds = batchOf(',').length
