import { addDays, latestSession } from '../../../market/calendar.ts'
import { easternDate } from '../../../market/eastern.ts'
import { type Instant, MILLISECONDS_PER_HOUR, type Ticker } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import { MAX_LISTINGS, NewestMap } from '../../port/newest-map.ts'
import { alpacaReader, optionalText, textFigure } from '../alpaca-fields.ts'
import type { AlpacaRest } from '../alpaca-rest.ts'

/** Data of a contract that only the account interface has. */
export interface AlpacaContract {
  /** Number of contracts; NaN if absent. */
  readonly openInterest: number
  /** Session at whose end `openInterest` was counted; undefined if absent. */
  readonly openInterestDate: string | undefined
  /** Delivers 100 shares. */
  readonly isStandard: boolean
}

export type AlpacaContracts = ReadonlyMap<string, AlpacaContract>

/** Reads a page of `/v2/options/contracts`, by OCC symbol. */
export function readAlpacaContracts(page: VendorFields): readonly (readonly [string, AlpacaContract])[] {
  const listed = alpacaReader.list(page, 'option_contracts') ?? []
  return listed.map((element) => {
    const fields = alpacaReader.element(element, 'option_contracts')
    const size = textFigure(fields, 'size')
    if (Number.isNaN(size)) throw alpacaReader.malformed('the field size is missing')
    return [
      alpacaReader.text(fields, 'symbol'),
      {
        openInterest: textFigure(fields, 'open_interest'),
        openInterestDate: optionalText(fields, 'open_interest_date'),
        isStandard: size === 100
      }
    ]
  })
}

/** Listings are renewed after so long, milliseconds, and on a new day, because open interest changes daily. */
const KEPT_FOR = MILLISECONDS_PER_HOUR
/** Without bounds the vendor lists only this week's expirations. */
const LAST_DAYS = 4000

/** Caches open interest and contract sizes by symbol for an hour. */
export class AlpacaListings {
  readonly #rest: AlpacaRest
  readonly #held = new NewestMap<Ticker, { readonly at: Instant; readonly terms: AlpacaContracts }>(MAX_LISTINGS)

  constructor(rest: AlpacaRest) {
    this.#rest = rest
  }

  async of(symbol: Ticker, now: Instant, signal: AbortSignal): Promise<AlpacaContracts> {
    const held = this.#held.get(symbol)
    const isFresh =
      held !== undefined && Math.abs(now - held.at) < KEPT_FOR && easternDate(now) === easternDate(held.at)
    if (isFresh) return held.terms
    const { date } = latestSession(now)
    const query = {
      underlying_symbols: symbol,
      expiration_date_gte: date,
      expiration_date_lte: addDays(date, LAST_DAYS),
      limit: '10000'
    }
    const terms = new Map<string, AlpacaContract>()
    for await (const page of this.#rest.pages({ of: 'account', path: '/v2/options/contracts', query }, signal)) {
      for (const [occ, each] of readAlpacaContracts(page)) terms.set(occ, each)
    }
    this.#held.set(symbol, { at: now, terms })
    return terms
  }
}
