import { easternDate, easternMinutes } from '../../../market/eastern.ts'
import type { Instant, IsoDate } from '../../../market/units.ts'
import { MAX_LISTINGS, NewestMap } from '../../port/newest-map.ts'
import { openInterest } from '../thetadata-answers.ts'
import type { ThetaDataQuery, ThetaDataRest } from '../thetadata-rest.ts'
import { interestOf, type OpenInterestByContract } from './thetadata-chain.ts'

/** Minute of the New York day after which the day's open interest no longer changes. It is published at about 06:30. */
const SETTLED = 6 * 60 + 35

export class OpenInterestOfDay {
  readonly #rest: ThetaDataRest
  readonly #known = new NewestMap<string, { readonly date: IsoDate; readonly interest: OpenInterestByContract }>(
    MAX_LISTINGS
  )

  constructor(rest: ThetaDataRest) {
    this.#rest = rest
  }

  /** Open interest of an option root that was published on the date of `now`; empty before its publication. */
  async of(root: string, now: Instant, signal: AbortSignal): Promise<OpenInterestByContract> {
    const date = easternDate(now)
    const known = this.#known.get(root)
    if (known?.date === date) return known.interest
    const query: ThetaDataQuery = { symbol: root, expiration: '*' }
    const interest = interestOf((await this.#rest.read(openInterest, query, signal)) ?? [], date)
    if (interest.size > 0 && easternMinutes(now) >= SETTLED) this.#known.set(root, { date, interest })
    return interest
  }
}
