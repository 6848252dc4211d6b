import type { Bundle } from '../../accounts/bundles.ts'
import type { MarketSource } from '../../api/source.ts'
import { isMarketOpen } from '../../market/clock.ts'
import { type Instant, MILLISECONDS_PER_HOUR } from '../../market/units.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { DRAIN, RESUMABLE } from '../catalog/limits.ts'
import type { AnswerSource } from '../delivery/answer-source.ts'
import { Hub } from '../delivery/hub.ts'
import { TimerQueue } from '../delivery/timer-queue.ts'
import { Windows } from '../delivery/windows.ts'
import type { Wire } from '../delivery/wire.ts'
import { BundleUsage, type LostSet } from './bundle-usage.ts'
import { Session } from './session.ts'

export interface StreamServerOptions {
  readonly catalog: Catalog
  readonly answers: AnswerSource
  readonly source: MarketSource
  readonly wallNow: () => Instant
  /** Calls `run` at a moment, at the latest; told again whenever that is earlier. */
  readonly arm: (at: Instant) => void
  /** Names this run of the service: counts of one run say nothing about those of another. */
  readonly epoch: string
  /** A text nobody can guess. */
  readonly secret: () => string
  /** A number from 0 to 1, to spread what many clients do at once. */
  readonly random: () => number
  readonly onError: (error: unknown) => void
  readonly onSent?: (frames: number) => void
  readonly onSkipped?: (frames: number) => void
}

/** Whether the key of a connection still holds, and the bundle behind it. */
export interface Authorization {
  readonly keyHolds: boolean
  readonly bundle: Bundle | undefined
}

/** Who is behind a connection, and how that stands at any time. */
export interface StreamClient {
  readonly bundle: Bundle
  readonly authorization: () => Authorization
}

interface Member {
  readonly session: Session
  readonly bundleId: string
  readonly authorization: () => Authorization
  /** Hours before the end of the bundle of which the client was told. */
  told: number
}

const LOOK_EVERY = 250
const STANDING_EVERY = 1000
const expiryNotices = [1, 24]
/** Ends after which a client does not come back to what it had; 1005 is a close without a code. */
const finalCodes: ReadonlySet<number> = new Set([1000, 1005, 4401, 4403, 4410, 4429])

/** The channel of one process: its sessions, what the bundles behind them have used, and everything due by the clock. */
export class StreamServer {
  readonly timers: TimerQueue
  readonly hub: Hub
  readonly #options: StreamServerOptions
  readonly #windows: Windows
  readonly #members = new Map<string, Member>()
  readonly #usages = new Map<string, BundleUsage>()
  #isLooking = false
  #stoodAt: Instant = 0
  #connections = 0
  #draining = false
  #onEmpty = () => {}

  constructor(options: StreamServerOptions) {
    this.#options = options
    const { answers, source, wallNow, onError } = options
    this.timers = new TimerQueue(options.arm)
    this.#windows = new Windows(this.timers, wallNow)
    const onStanding = (symbol: string, stale: boolean) => this.#tellStanding(symbol, stale)
    this.hub = new Hub({ answers, source, timers: this.timers, wallNow, onError, onStanding })
  }

  get catalog(): Catalog {
    return this.#options.catalog
  }

  get connections(): number {
    return this.#members.size
  }

  get subscriptions(): number {
    let count = 0
    for (const { session } of this.#members.values()) count += session.subscriptions.size
    return count
  }

  get isDraining(): boolean {
    return this.#draining
  }

  /** Whether a bundle may have one more connection. */
  hasRoom({ id }: Bundle): boolean {
    return !(this.#usages.get(id)?.isFull ?? false)
  }

  /** A name for a connection that is about to be opened. */
  nextId(): string {
    return `c_${(++this.#connections).toString(36)}`
  }

  /** The session of a new connection, whose bundle must have room. */
  open(id: string, wire: Wire, { bundle, authorization }: StreamClient): Session {
    const { epoch, secret, wallNow, catalog, onError, onSent = () => {}, onSkipped = () => {} } = this.#options
    const token = `r_${secret()}`
    const usage = this.#usageOf(bundle)
    const session = new Session(wire, {
      id,
      token,
      epoch,
      hub: this.hub,
      catalog,
      usage,
      windows: this.#windows,
      wallNow,
      onSent,
      onSkipped,
      onError,
      isMarketOpen: () => isMarketOpen(this.#options.source.now()),
      pause: (milliseconds) => new Promise((resolve) => this.timers.schedule(wallNow() + milliseconds, resolve)),
      takeOver: (old) => this.#takeOver(old, bundle.id, token)
    })
    usage.connect()
    this.#members.set(token, { session, bundleId: bundle.id, authorization, told: Number.POSITIVE_INFINITY })
    this.#keepLooking()
    return session
  }

  /** The socket of a session has closed, with this code of either side. */
  closed(session: Session, code: number): void {
    const member = this.#members.get(session.token)
    if (member === undefined) return
    this.#members.delete(session.token)
    const usage = this.#usages.get(member.bundleId)!
    usage.disconnect()
    const [ours] = session.connection.closed ?? [code]
    const ended = session.end()
    if (ended.saved.length === 0 || this.#draining || finalCodes.has(ours)) {
      usage.free(ended.cost)
    } else {
      const expiresAt = this.#options.wallNow() + RESUMABLE
      usage.lose({ token: session.token, expiresAt, ...ended })
    }
    if (this.#members.size === 0) this.#onEmpty()
  }

  /** Does what is due. */
  run(now: Instant): void {
    this.timers.run(now)
  }

  /** Announces the end, gives clients time to leave, and ends the connections that are left. */
  async drain(): Promise<void> {
    const { random, wallNow } = this.#options
    this.#draining = true
    if (this.#members.size === 0) return
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve))
    for (const { session } of this.#members.values()) {
      const reconnect_after_ms = Math.round(500 + 4500 * random())
      session.notice('draining', 'the service stops', { reconnect_after_ms })
    }
    this.timers.schedule(wallNow() + DRAIN, () => {
      for (const { session } of this.#members.values()) session.connection.close(1001, 'the service stops')
    })
    await empty
  }

  #usageOf({ id, blocks }: Bundle): BundleUsage {
    let usage = this.#usages.get(id)
    if (usage === undefined) this.#usages.set(id, (usage = new BundleUsage(blocks)))
    return usage
  }

  #takeOver(token: string, bundleId: string, by: string): LostSet | undefined {
    const usage = this.#usages.get(bundleId)!
    const open = token === by ? undefined : this.#members.get(token)
    if (open === undefined) {
      usage.expire(this.#options.wallNow())
      return usage.resume(token)
    }
    if (open.bundleId !== bundleId) return undefined
    this.#members.delete(token)
    usage.disconnect()
    open.session.connection.close(4410, 'resumed elsewhere')
    return { token, expiresAt: 0, ...open.session.end() }
  }

  #tellStanding(symbol: string, stale: boolean): void {
    const message = stale ? `the inputs of ${symbol} have stopped` : `the inputs of ${symbol} move again`
    for (const { session } of this.#members.values()) {
      if (session.subscriptions.listensTo(symbol)) {
        session.notice(stale ? 'feed_stale' : 'feed_recovered', message, { symbol })
      }
    }
  }

  #keepLooking(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    this.timers.schedule(this.#options.wallNow() + LOOK_EVERY, () => {
      this.#isLooking = false
      this.#look(this.#options.wallNow())
      if (this.#members.size > 0 || this.#usages.size > 0) this.#keepLooking()
    })
  }

  /** Looks after every connection: heartbeats, silence, slow readers, keys and bundles that ended. */
  #look(now: Instant): void {
    const looksAtStanding = now - this.#stoodAt >= STANDING_EVERY
    if (looksAtStanding) this.#stoodAt = now
    let fault: unknown
    for (const member of this.#members.values()) {
      try {
        member.session.check(now)
        if (looksAtStanding) this.#checkStanding(member, now)
      } catch (error) {
        fault = error // accounts that cannot be read for a moment end nobody's connection
      }
    }
    if (fault !== undefined) this.#options.onError(fault)
    if (!looksAtStanding) return
    for (const [id, usage] of this.#usages) {
      usage.expire(now)
      if (usage.isIdle) this.#usages.delete(id)
    }
  }

  #checkStanding(member: Member, now: Instant): void {
    const { session, authorization } = member
    const { keyHolds, bundle } = authorization()
    if (!keyHolds || bundle === undefined) {
      if (keyHolds) session.connection.close(4403, 'bundle ended')
      else session.connection.close(4401, 'key revoked')
      return
    }
    this.#usages.get(member.bundleId)!.grant(bundle.blocks)
    if (bundle.endsAt === undefined || !session.isStarted) return
    const { endsAt } = bundle
    const reached = expiryNotices.find((hours) => endsAt - now <= hours * MILLISECONDS_PER_HOUR)
    if (reached === undefined || reached >= member.told) return
    member.told = reached
    const left = reached === 1 ? 'an hour' : `${reached} hours`
    session.notice('bundle_expiring', `the bundle ends within ${left}`, { expires_ts: endsAt })
  }
}
