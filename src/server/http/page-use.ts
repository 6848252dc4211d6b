import type { Account } from '../../accounts/accounts.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { type ApiError, apiError } from '../../api/error.ts'
import { type PageAllowance, pageScreens } from '../../api/page-allowance.ts'
import type { Plans } from '../../api/plan.ts'
import { completedSession, previousTradingDay, session } from '../../market/calendar.ts'
import { easternDate, easternDateTime } from '../../market/eastern.ts'
import { type Instant, type IsoDate, MILLISECONDS_PER_DAY, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import type { Access } from './access.ts'

/** Endpoints about the caller and the service, which every page reads on the live host. */
const everywhere: readonly string[] = ['account.current', 'symbols.current', 'universe.current']
/** Endpoints that every screen reads at its moment; `recorded` is the question of the archive for its moments. */
const ofEveryScreen: readonly string[] = ['market.session', 'recorded']

/** The close of a session is recorded by then. */
const RECORDED_AFTER = 5 * MILLISECONDS_PER_MINUTE
const MAX_USERS = 50_000

export interface PageUseOptions {
  readonly access: Pick<Access, 'planRefusal' | 'entitlementRefusal' | 'gateRefusal'>
  readonly plans: Plans
  /** Time of the market. */
  readonly now: () => Instant
  readonly wallNow: () => number
}

type Judged = Pick<Endpoint, 'id' | 'plan' | 'symbols' | 'gates'>

/**
 * Judges requests of dashboard pages on plans with a page allowance: instead of requests, symbols are counted, and
 * figures end at the last close.
 */
export class PageUse {
  readonly #options: PageUseOptions
  #day = Number.NaN
  /** Symbols that users have opened today. They are kept in memory: a restart forgets them. */
  readonly #opened = new Map<string, Set<string>>()

  constructor(options: PageUseOptions) {
    this.#options = options
  }

  /** Whether a page of this allowance reads an endpoint at a past moment, or at present. */
  covers({ screens }: PageAllowance, id: string, isPast: boolean): boolean {
    if (!isPast) return everywhere.includes(id)
    return (
      ofEveryScreen.includes(id) || screens.some((screen) => (pageScreens[screen] as readonly string[]).includes(id))
    )
  }

  /** Error for figures of now, or of other screens. It names the moment up to which the plan shows what it shows. */
  refusal(account: Account, endpoint: Pick<Endpoint, 'plan'>): ApiError {
    const { plan, page } = account
    const least = this.#options.access.planRefusal(account, endpoint.plan)?.detail['required_plan']
    const message = `the ${plan.name} plan shows figures of the last close in the dashboard`
    return apiError('tier_restricted', message, {
      current_plan: plan.name,
      required_plan: least ?? this.#options.plans.nextAbove(plan)?.name ?? plan.name,
      page_at: easternDateTime(this.#last().close),
      page_screens: page!.screens.join(),
      page_note: noteOf(plan.name, page!)
    })
  }

  /** Error for a past moment or a symbol that the allowance does not reach. Counts the symbol. */
  pastRefusal(
    account: Account,
    endpoint: Judged,
    params: Readonly<Record<string, unknown>>,
    at: Instant
  ): ApiError | undefined {
    const page = account.page!
    const first = this.#first(page.sessions)
    if (at > this.#last().close) return this.refusal(account, endpoint)
    if (easternDate(at) < first) return this.#options.access.entitlementRefusal(account, 'replay')
    const from = dateOf(params['from'])
    // A request that reaches further back than the allowance is judged by the plan, whatever kind of symbol it is about.
    if (from !== undefined && from < first) {
      const context = { today: easternDate(at) }
      const ofPlan =
        this.#options.access.planRefusal(account, endpoint.plan) ??
        this.#options.access.gateRefusal(account, { symbols: () => [], gates: endpoint.gates }, params, context)
      if (ofPlan !== undefined) return ofPlan
    }
    return endpoint.symbols(params as never).every((symbol) => this.#open(account.userId, symbol, page.symbols))
      ? undefined
      : this.#usedUp(account, page.symbols)
  }

  #last() {
    return completedSession(this.#options.now() - RECORDED_AFTER)
  }

  #first(sessions: number): IsoDate {
    let { date } = this.#last()
    for (let k = 1; k < sessions; k++) date = previousTradingDay(date)
    return session(date)!.date
  }

  /** Whether a symbol is among those that the user may open today. */
  #open(userId: string, symbol: string, most: number): boolean {
    const day = Math.floor(this.#options.wallNow() / MILLISECONDS_PER_DAY)
    if (day !== this.#day) this.#opened.clear()
    this.#day = day
    const opened = this.#opened.get(userId) ?? new Set<string>()
    if (opened.has(symbol)) return true
    if (opened.size >= most) return false
    if (this.#opened.size >= MAX_USERS && !this.#opened.has(userId))
      this.#opened.delete(this.#opened.keys().next().value!)
    this.#opened.set(userId, opened.add(symbol))
    return true
  }

  #usedUp({ plan }: Account, symbols: number): ApiError {
    const resetsAt = (this.#day + 1) * MILLISECONDS_PER_DAY
    const message = `all ${symbols} symbols of today are opened in the dashboard`
    const detail = {
      current_plan: plan.name,
      limit: symbols,
      symbols,
      upgrade_to: this.#options.plans.nextAbove(plan)?.name ?? null,
      reset_at: new Date(resetsAt).toISOString()
    }
    return apiError('quota_exceeded', message, detail, Math.ceil((resetsAt - this.#options.wallNow()) / 1000))
  }
}

/** Says in the dashboard what the plan shows. */
function noteOf(plan: string, { screens, symbols, sessions }: PageAllowance): string {
  const names = screens.map((screen) => screen[0]!.toUpperCase() + screen.slice(1)).join(', ')
  return `${plan} shows the last close: ${names} of ${symbols} symbols a day, and ${sessions} sessions back.`
}

/** The New York date of a parameter that is a date or an instant. */
function dateOf(from: unknown): IsoDate | undefined {
  if (typeof from === 'number') return easternDate(from)
  return typeof from === 'string' ? (from as IsoDate) : undefined
}
