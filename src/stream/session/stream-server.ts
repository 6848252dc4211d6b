import type { Bundle } from '../../accounts/bundles.ts'
import type { MarketSource } from '../../api/market-source.ts'
import type { MaybePromise } from '../../api/maybe-promise.ts'
import { isMarketOpen } from '../../market/clock.ts'
import { type Instant, MILLISECONDS_PER_HOUR } from '../../market/units.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { AnswerSource } from '../delivery/answer-source.ts'
import { CadenceWindows } from '../delivery/cadence-windows.ts'
import { Hub } from '../delivery/hub.ts'
import { TimerQueue } from '../delivery/timer-queue.ts'
import type { Wire } from '../delivery/websocket-frames.ts'
import { DRAIN_TIME, RESUME_WINDOW } from '../protocol/limits.ts'
import { BundleUsage, type SavedSet } from './bundle-usage.ts'
import type { SharedUsage, SharingService } from './shared-usage.ts'
import { StreamSession, type StreamSessionOptions } from './stream-session.ts'

export interface StreamServerOptions {
  readonly catalog: Catalog
  readonly answers: AnswerSource
  readonly source: MarketSource
  /** Clock of stamps; `steadyNow` is the clock of periods, milliseconds. */
  readonly wallNow: () => Instant
  readonly steadyNow: () => number
  /**
   * Asks the owner to set its timer: it must call `run` at `at`, a time of the steady clock, or soon after. Called again
   * when that time changes.
   */
  readonly arm: (at: number) => void
  /** Name of this run of the service. `seq` numbers of different runs cannot be compared. */
  readonly epoch: string
  readonly secret: () => string
  /** Returns a random number from 0 to 1, used to spread the reconnects of many clients. */
  readonly random: () => number
  readonly onError: (error: unknown) => void
  readonly onSent?: (frames: number) => void
  readonly onSkipped?: (frames: number) => void
  /** Counts connections and subscriptions of bundles together with other services; undefined if there are none. */
  readonly shared?: ((service: SharingService) => SharedUsage) | undefined
}

/** Whether a connection's API key is still valid, and the current bundle of its user. */
export interface Authorization {
  readonly isKeyValid: boolean
  /** Current bundle of the user; undefined if it has ended. */
  readonly bundle: Bundle | undefined
}

/** Client of a new connection: its bundle, and a function that checks whether it is still authorized. */
export interface StreamClient {
  readonly bundle: Bundle
  readonly authorization: () => Authorization
}

interface OpenSession {
  readonly session: StreamSession
  readonly bundleId: string
  readonly authorization: () => Authorization
  /** Hours left of the bundle when the last notice about its end was sent. */
  noticedHours: number
}

// Intervals, milliseconds.
const CHECK_INTERVAL = 250
const AUTHORIZATION_INTERVAL = 1000
/** Clients get a notice when their bundle ends within this many hours. */
const expiryNotices = [1, 24]
/** WebSocket close codes after which subscriptions are not saved. 1005 means a close without a code. */
const finalCodes: ReadonlySet<number> = new Set([1000, 1005, 4401, 4403, 4410, 4429])

/** The stream of one process: its sessions, the usage of their bundles, and everything that is due by the clock. */
export class StreamServer {
  readonly timers: TimerQueue
  readonly hub: Hub
  readonly #options: StreamServerOptions
  readonly #windows: CadenceWindows
  readonly #ofAll: Pick<StreamSessionOptions, 'isMarketOpen' | 'pause'>
  /** Open sessions by resume token. */
  readonly #sessions = new Map<string, OpenSession>()
  readonly #usages = new Map<string, BundleUsage>()
  readonly #shared: SharedUsage | undefined
  #isCheckScheduled = false
  #authorizedAt = Number.NEGATIVE_INFINITY
  #lastConnection = 0
  #isDraining = false
  #onEmpty = () => {}

  constructor(options: StreamServerOptions) {
    this.#options = options
    const { answers, source, wallNow, steadyNow, onError } = options
    this.timers = new TimerQueue(steadyNow, options.arm)
    this.#windows = new CadenceWindows(this.timers, wallNow)
    this.#ofAll = {
      isMarketOpen: () => isMarketOpen(source.now()),
      pause: (milliseconds) => new Promise((resolve) => this.timers.after(milliseconds, resolve))
    }
    const onStaleChange = (symbol: string, stale: boolean) => this.#noticeStaleness(symbol, stale)
    this.hub = new Hub({ answers, source, timers: this.timers, onError, onStaleChange })
    this.#shared = options.shared?.({
      catalog: options.catalog,
      after: (milliseconds, run) => this.timers.after(milliseconds, run),
      setOf: (token) => this.#setOf(token),
      onTaken: (token) => this.#taken(token)
    })
  }

  get catalog(): Catalog {
    return this.#options.catalog
  }

  get connections(): number {
    return this.#sessions.size
  }

  get subscriptions(): number {
    let count = 0
    for (const { session } of this.#sessions.values()) count += session.subscriptions.size
    return count
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Whether a bundle may open one more connection, as far as this service knows. */
  hasRoom({ id }: Bundle): boolean {
    return !(this.#usages.get(id)?.isFull ?? false)
  }

  /**
   * Whether a bundle may open one more connection, by the count of all services: the caller then opens it or gives it
   * up. Undefined if no other service serves the bundle.
   */
  admit(bundle: Bundle): Promise<boolean> | undefined {
    return this.#shared?.admit(this.#usageOf(bundle))
  }

  giveUp(bundle: Bundle): void {
    this.#shared?.giveUp(this.#usageOf(bundle))
  }

  usedOf(bundleId: string): number {
    return this.#usages.get(bundleId)?.overall.places ?? 0
  }

  nextId(): string {
    return `c_${(++this.#lastConnection).toString(36)}`
  }

  /** Opens the session of a new connection. Check `hasRoom` first. */
  open(id: string, wire: Wire, { bundle, authorization }: StreamClient): StreamSession {
    const {
      epoch,
      secret,
      wallNow,
      steadyNow,
      catalog,
      onError,
      onSent = () => {},
      onSkipped = () => {}
    } = this.#options
    const token = `r_${secret()}`
    const usage = this.#usageOf(bundle)
    const session = new StreamSession(wire, {
      id,
      token,
      epoch,
      hub: this.hub,
      catalog,
      usage,
      windows: this.#windows,
      wallNow,
      steadyNow,
      onSent,
      onSkipped,
      onError,
      ...this.#ofAll,
      takeOver: (old) => this.#takeOver(old, bundle.id, token),
      ...(this.#shared && { onChanged: () => this.#shared!.setChanged(usage, token) })
    })
    usage.connect()
    if (this.#shared !== undefined && usage.admitted > 0) usage.admitted--
    this.#sessions.set(token, { session, bundleId: bundle.id, authorization, noticedHours: Number.POSITIVE_INFINITY })
    this.#scheduleCheck()
    return session
  }

  /** Ends the session of a closed socket. Its subscriptions are saved if the client is allowed to resume them. */
  closed(session: StreamSession, code: number): void {
    const open = this.#sessions.get(session.token)
    if (open === undefined) return
    this.#sessions.delete(session.token)
    const usage = this.#usages.get(open.bundleId)!
    usage.disconnect()
    const [closeCode] = session.connection.closed ?? [code]
    const ended = session.end()
    const isFinal = ended.saved.length === 0 || finalCodes.has(closeCode)
    if (this.#shared !== undefined && !isFinal) {
      void this.#shared.save(usage, session.token, ended)
    } else if (this.#shared !== undefined) {
      usage.free(ended.cost)
      this.#shared.setEnded(session.token)
      this.#shared.changed(usage)
    } else if (isFinal || this.#isDraining) {
      usage.free(ended.cost)
    } else {
      const expiresAt = this.timers.now() + RESUME_WINDOW
      usage.save({ token: session.token, expiresAt, ...ended })
    }
    if (this.#sessions.size === 0) this.#onEmpty()
  }

  /** Closes connections whose key or bundle has ended. Called when accounts have changed. */
  accountsChanged(): void {
    this.#ofEach((open) => this.#checkAuthorization(open))
  }

  /** Does whatever is due by the steady clock. */
  run(): void {
    this.timers.run()
  }

  /** Sends every client a notice, waits for them to leave, then closes the remaining connections. */
  async drain(): Promise<void> {
    this.#isDraining = true
    await this.#emptied()
    await this.#shared?.stop()
  }

  async #emptied(): Promise<void> {
    const { random } = this.#options
    if (this.#sessions.size === 0) return
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve))
    for (const { session } of this.#sessions.values()) {
      const reconnect_after_ms = Math.round(500 + 4500 * random())
      session.notice('draining', 'the service stops', { reconnect_after_ms })
    }
    this.timers.after(DRAIN_TIME, () => {
      for (const { session } of this.#sessions.values()) session.connection.close(1001, 'the service stops')
    })
    await empty
  }

  #usageOf({ id, blocks }: Bundle): BundleUsage {
    let usage = this.#usages.get(id)
    if (usage === undefined) {
      this.#usages.set(id, (usage = new BundleUsage(id, blocks)))
      this.#shared?.share(usage)
    }
    return usage
  }

  /**
   * Returns the subscriptions of a resume token: from a saved set, or from a connection that is still open, which is
   * then closed.
   */
  #takeOver(token: string, bundleId: string, by: string): MaybePromise<SavedSet | undefined> {
    const usage = this.#usages.get(bundleId)!
    const open = token === by ? undefined : this.#sessions.get(token)
    if (open === undefined) {
      if (this.#shared !== undefined) return this.#takeShared(this.#shared, usage, token, by)
      usage.expire(this.timers.now())
      return usage.resume(token)
    }
    if (open.bundleId !== bundleId) return undefined
    this.#shared?.setEnded(token)
    return { token, expiresAt: 0, ...this.#replace(open) }
  }

  /** Closes a connection whose client resumed in another one. Its subscriptions still count as used. */
  #replace({ session, bundleId }: OpenSession): ReturnType<StreamSession['end']> {
    const usage = this.#usages.get(bundleId)!
    this.#sessions.delete(session.token)
    usage.disconnect()
    this.#shared?.changed(usage)
    session.connection.close(4410, 'resumed elsewhere')
    return session.end()
  }

  /** The subscriptions of a connection to another service, or of a lost one. */
  async #takeShared(shared: SharedUsage, usage: BundleUsage, token: string, by: string): Promise<SavedSet | undefined> {
    const taken = await shared.take(usage, token)
    if (taken === undefined || this.#sessions.has(by)) return taken && { token, expiresAt: 0, ...taken }
    // The client left in the meantime and may come back once more.
    await shared.save(usage, token, taken)
    return undefined
  }

  /** Ends a connection whose subscriptions another service has now. */
  #taken(token: string): void {
    const open = this.#sessions.get(token)
    if (open === undefined) return
    this.#usages.get(open.bundleId)!.free(this.#replace(open).cost)
    if (this.#sessions.size === 0) this.#onEmpty()
  }

  #setOf(token: string): ReturnType<SharingService['setOf']> {
    const open = this.#sessions.get(token)
    return open && { bundleId: open.bundleId, ...open.session.subscriptions.saved() }
  }

  #noticeStaleness(symbol: string, stale: boolean): void {
    const message = stale ? `the inputs of ${symbol} have stopped` : `the inputs of ${symbol} move again`
    for (const { session } of this.#sessions.values()) {
      if (session.subscriptions.includes(symbol)) {
        session.notice(stale ? 'feed_stale' : 'feed_recovered', message, { symbol })
      }
    }
  }

  #scheduleCheck(): void {
    if (this.#isCheckScheduled) return
    this.#isCheckScheduled = true
    this.timers.after(CHECK_INTERVAL, () => {
      this.#isCheckScheduled = false
      this.#check()
      if (this.#sessions.size > 0 || this.#usages.size > 0) this.#scheduleCheck()
    })
  }

  /**
   * Checks every connection for due heartbeats, silent clients and slow readers and, less often, for ended keys and
   * bundles.
   */
  #check(): void {
    const now = this.timers.now()
    const isAuthorizationDue = now - this.#authorizedAt >= AUTHORIZATION_INTERVAL
    this.#ofEach((open) => {
      open.session.check()
      if (isAuthorizationDue) this.#checkAuthorization(open)
    })
    if (!isAuthorizationDue) return
    this.#authorizedAt = now
    for (const [id, usage] of this.#usages) {
      usage.expire(now)
      if (usage.isIdle && (this.#shared?.forget(usage) ?? true)) this.#usages.delete(id)
    }
  }

  #ofEach(work: (open: OpenSession) => void): void {
    let failure: unknown
    for (const open of this.#sessions.values()) {
      try {
        work(open)
      } catch (error) {
        failure = error // a failure of the account database must close no connection
      }
    }
    if (failure !== undefined) this.#options.onError(failure)
  }

  /** Closes a connection whose API key or bundle has ended, and sends a notice when the bundle's end is near. */
  #checkAuthorization(open: OpenSession): void {
    const { session, authorization } = open
    const now = this.#options.wallNow()
    const { isKeyValid, bundle } = authorization()
    if (!isKeyValid || bundle === undefined) {
      if (isKeyValid) session.connection.close(4403, 'bundle ended')
      else session.connection.close(4401, 'key revoked')
      return
    }
    this.#usages.get(open.bundleId)!.setBlocks(bundle.blocks)
    if (bundle.endsAt === undefined || !session.isStarted) return
    const { endsAt } = bundle
    const reached = expiryNotices.find((hours) => endsAt - now <= hours * MILLISECONDS_PER_HOUR)
    if (reached === undefined || reached >= open.noticedHours) return
    open.noticedHours = reached
    const left = reached === 1 ? 'an hour' : `${reached} hours`
    session.notice('bundle_expiring', `the bundle ends within ${left}`, { expires_ts: endsAt })
  }
}
