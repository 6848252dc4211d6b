import { addDays, latestSession } from '../../../market/calendar.ts'
import { easternDate } from '../../../market/eastern.ts'
import { type Instant, MILLISECONDS_PER_HOUR, type Ticker } from '../../../market/units.ts'
import type { VendorFields } from '../../port/http/vendor-fields.ts'
import { MAX_LISTINGS, NewestMap } from '../../port/newest-map.ts'
import { alpacaReader, optionalText, textFigure } from '../alpaca-fields.ts'
import type { AlpacaRest } from '../alpaca-rest.ts'

/** Contract data that only Alpaca's account API has. */
export interface AlpacaContract {
  readonly openInterest: number
  /** Session at whose end `openInterest` was counted; undefined if absent. */
  readonly openInterestDate: string | undefined
  readonly isStandard: boolean
}

export type AlpacaContracts = ReadonlyMap<string, AlpacaContract>

/** Reads a page of `/v2/options/contracts` into pairs of OCC symbol and contract. */
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

/** How long a contract listing is cached, milliseconds. A new day also ends it, because open interest changes daily. */
const KEPT_FOR = MILLISECONDS_PER_HOUR
/**
 * Number of days ahead up to which expirations are requested. Without a limit the vendor lists only the current week's.
 */
const LAST_DAYS = 4000

/** Caches each symbol's open interest and contract sizes for an hour. */
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
