import { defaultPlans, type Entitlement } from '../../src/api/plan.ts'
import { screenerFields } from '../../src/endpoints/screener/fields.ts'
import { macroColumn, screenerRow } from '../../src/endpoints/screener/row.ts'
import type { RowInputs } from '../../src/endpoints/screener/subject.ts'
import type { Ticker } from '../../src/market/units.ts'
import { type ScreenResult, screen } from '../../src/screener/screen.ts'
import { readScreen } from '../../src/screener/screen-request.ts'
import type { Screened, ScreenedRow } from '../../src/screener/screener-row.ts'
import { handMade, handMadeNames, type Market, madeUpMacro } from '../support/markets.ts'

export const macro = madeUpMacro({ vix: 17.35 })

/** Inputs of a market's row, without a tape and outside the universe. */
export function rowInputs({ chain, bars = [], records = [], reports = [] }: Market): RowInputs {
  return { chain, tier: undefined, bars, records, reports, macro, flow: undefined }
}

/** Row of a market, under another name if one is given. */
export function rowOf(market: Market, k = 0, symbol = market.chain.symbol): ScreenedRow {
  const tier = k % 3 === 0 ? undefined : ((k % 3) as 1 | 2)
  const row = screenerRow({ ...rowInputs(market), tier })
  return { ...row, symbol, rank: tier === undefined ? undefined : k, tier, chain: market.chain }
}

/** Every hand-made market as a symbol: H00, H01 and so on. */
export function handMadeRows(): Screened {
  const rows = handMadeNames.map((name, k) => rowOf(handMade(name), k, `H${String(k).padStart(2, '0')}` as Ticker))
  return { now: rows[0].asOf, rows, missing: [], presets: { mine: ['H01', 'H03', 'NOBODY'] as Ticker[] } }
}

/** Runs a screen over these rows. Throws its problem if it cannot be run. */
export function screenOf(
  body: object,
  screened: Screened,
  entitlements: readonly Entitlement[] = ['full_screen']
): ScreenResult {
  const caller = {
    has: (entitlement: Entitlement) => entitlements.includes(entitlement),
    planWith: (entitlement: Entitlement) => defaultPlans.leastWith(entitlement).name
  }
  return screen(readScreen(body), screened, { fields: screenerFields, macro: macroColumn(macro), caller })
}
