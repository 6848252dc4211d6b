/**
 * Types of the answers that tests read, named as on a desk. They are derived from the declared shapes, so a changed
 * declaration shows at once; contract-shapes.test.ts proves the shapes against the contract.
 */

import type { Endpoints } from '../../src/client/endpoint-types.ts'

type Answer<Path extends keyof Endpoints> = Endpoints[Path]['answer']

export type Gex = Answer<'/v1/exposure/gex/{symbol}'>
export type Summary = Answer<'/v1/exposure/summary/{symbol}'>
export type Levels = Answer<'/v1/exposure/levels/{symbol}'>
export type Narrative = Answer<'/v1/exposure/narrative/{symbol}'>
export type Sheet = Answer<'/v1/exposure/sheet/{symbol}'>
export type TermStructure = Answer<'/v1/exposure/term-structure/{symbol}'>
export type Basket = Answer<'/v1/exposure/basket'>
export type OiDiff = Answer<'/v1/exposure/oi-diff/{symbol}'>
export type MaxPain = Answer<'/v1/maxpain/{symbol}'>
export type Matrix = Answer<'/v1/exposure/matrix/{symbol}'>
export type Explain = Answer<'/v1/exposure/explain/{symbol}'>
export type ChartLevels = Answer<'/v1/exposure/chart-levels/{symbol}'>
export type Models = Answer<'/v1/exposure/models/{symbol}'>
export type Bands = Answer<'/v1/exposure/bands/{symbol}'>
export type AttributionAnswer = Answer<'/v1/exposure/attribution/{symbol}'>
export type Quality = Answer<'/v1/quality/{symbol}'>
export type Profile = Answer<'/v1/exposure/profile/{symbol}'>

type SameDay = Answer<'/v1/exposure/zero-dte/{symbol}'>
export type NoZeroDte = Extract<SameDay, { readonly no_zero_dte: true }>
/** The field that distinguishes the two shapes is absent here; it is declared so that tests may read it. */
export type ZeroDte = Exclude<SameDay, NoZeroDte> & { readonly no_zero_dte?: undefined }

/**
 * The answers of dex, vex and chex, by the names of their fields. Looser than declared: one set of checks proves all
 * three and builds the names of the fields from the measure.
 */
export type ByStrike = Pick<Gex, 'symbol' | 'underlying_price' | 'as_of'> &
  Readonly<Record<string, unknown>> & { readonly strikes: readonly StrikeFigures[] }
type StrikeFigures = Readonly<Record<string, number>> & { readonly strike: number }

export type OptionQuote = Exclude<Answer<'/optionquote/{ticker}'>, readonly unknown[]>
export type StockQuote = Answer<'/stockquote/{ticker}'>
export type MarketHours = Answer<'/v1/market/session/{symbol}'>
export type OptionsListing = Answer<'/v1/options/{ticker}'>
export type StockSummary = Answer<'/v1/stock/{symbol}/summary'>
export type SurfaceGridAnswer = Answer<'/v1/surface/{symbol}'>

export type SviAnswer = Answer<'/v1/surface/{symbol}/svi'>
export type SviRow = SviAnswer['svi_parameters'][number]
export type Volatility = Answer<'/v1/volatility/{symbol}'>
export type AdvVolatility = Answer<'/v1/adv_volatility/{symbol}'>
export type Realized = Answer<'/v1/volatility/realized/{symbol}'>
export type Forecast = Answer<'/v1/volatility/forecast/{symbol}'>
export type SkewTerm = Answer<'/v1/volatility/skew-term/{symbol}'>
export type ExpectedMoves = Answer<'/v1/expected-move/{symbol}'>
export type Liquidity = Answer<'/v1/liquidity/{symbol}'>
export type Dispersion = Answer<'/v1/dispersion'>
export type VixState = Answer<'/v1/macro/vix-state'>
