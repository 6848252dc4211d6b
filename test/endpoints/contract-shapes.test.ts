import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { resolutions } from '../../src/flow/windows/price-bars.ts'
import { CONTRADICTED, checkIds } from '../../src/quality/quality-check.ts'
import { type Query, textOf } from '../support/asking.ts'
import { traded } from '../support/made-up-flow.ts'
import { allMarkets, type Market } from '../support/markets.ts'
import { ownContractFiles } from '../support/own-contract.ts'
import { usedOnce } from '../support/schemas-used-once.ts'

const folder = resolve(import.meta.dirname, '../../../shared/contract')
const ajv = new Ajv2020({ ...usedOnce, allErrors: false })
addFormats.default(ajv)
const contracts = ['exposure', 'market', 'volatility', 'flow', 'strategies', 'earnings', 'insight'].flatMap((name) => {
  const file = resolve(folder, `${name}.yaml`)
  if (!existsSync(file)) return []
  const contract = parse(readFileSync(file, 'utf8')) as StatedSchemas & { readonly paths: Record<string, unknown> }
  // A known difference: the service knows a further reason, a flip outside all listed strikes.
  contract.components.schemas.Explain?.properties?.null_reason.enum?.push('outside_strikes')
  widen(contract)
  ajv.addSchema(contract, name)
  return [{ name, file, paths: contract.paths }]
})
const published = contracts.length
for (const file of ownContractFiles) {
  const contract = parse(readFileSync(file, 'utf8')) as StatedSchemas & { readonly paths: Record<string, unknown> }
  const name = basename(file, '.yaml')
  ajv.addSchema(contract, name)
  contracts.push({ name, file, paths: contract.paths })
}
if (published === 0)
  console.log('skipped: the contract is not beside the project, so answers are held to their declared shapes alone')

/**
 * Known differences from the contract: a score that can be failed has further checks, and a check may cost more than 30
 * points where the options contradict spot.
 */
function widen({ components: { schemas } }: StatedSchemas): void {
  if (schemas.QualityCheck === undefined) return
  const { properties: check } = schemas.QualityCheck as Widened
  check.id = { enum: checkIds }
  check.deduction = { ...check.deduction, maximum: CONTRADICTED }
  const { properties: quality } = schemas.Quality as Widened
  quality.checks = { ...quality.checks, minItems: checkIds.length, maxItems: checkIds.length }
}

interface Widened {
  readonly properties: Record<string, object>
}

function validatorsOf(endpoint: Endpoint): readonly ValidateFunction[] {
  const declared = ajv.compile(JSON.parse(JSON.stringify(endpoint.response)))
  const stated = contracts.find(({ paths }) => endpoint.path in paths)
  if (stated === undefined) return [declared]
  return [declared, ajv.compile({ $ref: `${stated.name}${placeOf(endpoint)}` })]
}

const placeOf = ({ path }: Endpoint) =>
  `#/paths/${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`

let markets: readonly Market[]
beforeAll(async () => {
  markets = (await allMarkets()).map(withTape)
})

/** Every other market has a tape. */
const withTape = (market: Market, k: number) => (k % 2 === 0 ? market : traded(market, k))

/** Endpoints that answer from market data; the announced history answers nothing yet. */
const ofMarket = endpoints.filter(
  ({ needs, errors }) =>
    needs.some((need) =>
      ['chain', 'anyChain', 'chains', 'quote', 'anyQuote', 'bars', 'optionWindow', 'stockWindow'].includes(need)
    ) && !errors.includes('coming_soon')
)

function queriesOf(endpoint: Endpoint, { chain }: Market): readonly Query[] {
  const { params, path } = endpoint
  const date = chain.expirations[0].date
  if ('index' in params) return [{ index: chain.symbol, symbols: `${chain.symbol},NOBODY` }]
  if ('symbols' in params) return [{ symbols: `${chain.symbol},NOBODY` }]
  if ('resolution' in params) return resolutions.map((resolution) => ({ resolution }))
  if (path.startsWith('/v1/flow/options/') && 'expiry' in params) return [{}, { expiry: date }]
  if ('expiry' in params)
    return [{}, { expiry: date }, ...('strike' in params ? [single(chain, date)] : [{ strike_range: '0.1' }])]
  if ('top' in params) return [{}, ...['gamma_flip', 'call_wall', 'magnet', 'max_pain'].map((metric) => ({ metric }))]
  if ('by' in params) return [{}, { metric: 'oi_change' }, { by: 'time' }, { by: 'time', metric: 'oi' }]
  if ('when' in params) return [{ points: '11' }, { points: '11', expiration: date }, { points: '11', when: 'close' }]
  if ('sign_confidence' in params) return [chain.size > 3000 ? { expiration: date } : {}] // a large chain takes seconds
  if ('since' in params) return [chain.size > 3000 ? { expiration: date } : {}]
  if ('expiration' in params) return [{}, { expiration: date }]
  if ('fit' in params) return [{}, { fit: 'market' }]
  return [{}]
}

const single = (chain: Market['chain'], expiry: string) => ({ expiry, strike: `${chain.strike[0]}`, type: 'PUT' })

/** Codes of refusals that mean a market lacks the data for an answer. */
const refusals = [
  'no_data',
  'no_match',
  'no_snapshot',
  'no_options_data',
  'insufficient_history',
  'insufficient_data',
  'no_index_iv',
  'symbol_not_found'
].concat(['no_vix', 'no_rv_data'])

test.each(
  ofMarket.map((endpoint) => [endpoint.path, endpoint] as const)
)('%s answers in the shape of the contract and in its own, with finite figures', (_, endpoint) => {
  const validators = validatorsOf(endpoint)
  let answers = 0
  for (const market of markets) {
    for (const query of queriesOf(endpoint, market)) {
      for (const caller of endpoint.varies.length > 0 ? [[], endpoint.varies] : [[]]) {
        const result = textOf(endpoint, market, query, caller)
        if ('code' in result) {
          expect(refusals).toContain(result.code)
          continue
        }
        answers++
        expect(result.text).not.toMatch(/NaN|Infinity|undefined|[:,[]-0(\.0+)?[,}\]]/)
        const answer = JSON.parse(result.text)
        for (const validate of validators) {
          const where = `${market.name} ${JSON.stringify(query)}`
          if (!validate(answer)) throw new Error(`${where}: ${ajv.errorsText(validate.errors)}`)
        }
      }
    }
  }
  expect(answers).toBeGreaterThan(15)
})

/** Our own additional fields, by the contract's schema that holds them. Every answer of that schema has them. */
const ours: Readonly<Record<string, readonly string[]>> = {
  // Only this field distinguishes AM and PM contracts of one date.
  OptionQuote: ['occ_symbol'],
  // Expirations that the answer covers; the contract has no field for them.
  GexResponse: ['scope'],
  DexResponse: ['scope'],
  VexResponse: ['scope', 'net_vex_per_point', 'reading'],
  ChexResponse: ['scope', 'reading'],
  SheetResponse: ['scope'],
  MaxPainResponse: ['scope'],
  // The contract lists these among its additions, apart from the schema.
  StockQuote: ['previous_close'],
  LevelsResponse: ['scope', 'levels_by_scope'],
  Levels: ['call_wall_above', 'put_wall_below'],
  // The contract lists these among its conventions.
  SummaryVolatility: ['atm_iv_30d'],
  SummaryIvTerm: ['root', 'settlement'],
  SviResponse: ['svi_parameters_am'],
  SviSlice: ['root', 'settlement'],
  VolatilityResponse: ['atm_iv_30d', 'model_free'],
  SkewProfile: ['root', 'settlement'],
  AdvVolatilityResponse: ['svi_parameters_am', 'model_free'],
  // The middle of the band, how far it is from the plain value, and the mornings it rests on.
  BandSet: ['expected', 'shift', 'calibration'],
  // From this moment on every exposure of the answer is 0. The note stands where a day is not left.
  ZeroDteResponse: ['expired', 'greeks_note', 'reading'],
  ZeroDteSnapshot: ['expired', 'greeks_note', 'reading'],
  // Which positions of dealers sentences and codes assume, and the figures that sentences name.
  // On which side customers stand, beside the models that assume it.
  Models: ['customers'],
  ExposureSummaryResponse: ['reading'],
  NetExposures: ['net_vex_per_point'],
  ZeroDteShare: ['pct_of_gross_gex'],
  ZdExposures: ['net_vex_per_point', 'pct_of_gross_gex'],
  NarrativeResponse: ['reading'],
  NarrativeData: ['net_vex_per_point', 'net_chex', 'call_wall_above', 'put_wall_below', 'zero_dte_gross_pct'],
  NarrativeOiChange: ['expiration'],
  SummaryExposure: ['net_vex_per_point', 'reading'],
  SummaryZeroDte: ['pct_of_gross_gex'],
  VrpResponse: ['reading'],
  DealerRegimeMetrics: ['net_vex_per_point'],
  // Known dividends by date.
  YieldEnhancementMetrics: ['dividends'],
  // Says of a check without a value whether its data are missing or nothing was due.
  QualityCheck: ['state'],
  MarketSession: ['last_close']
}

/** Our own additional fields that only some answers of a schema have. */
const oursAtTimes: Readonly<Record<string, readonly string[]>> = {
  // Contracts that expire today have a note.
  OptionQuote: ['greeks_note']
}

test('an answer holds no field that the contract does not name, but the few of our own', () => {
  const named = new Set<string>()
  const market = markets.find(({ name }) => name === 'several expirations on a day of expiry')!
  for (const { file, paths } of contracts) {
    const strict = new Ajv2020({ ...usedOnce, allErrors: true })
    addFormats.default(strict)
    const contract = parse(readFileSync(file, 'utf8')) as StatedSchemas
    widen(contract)
    for (const [title, schema] of Object.entries(contract.components.schemas)) {
      if (!schema.properties) continue
      schema.additionalProperties = false
      for (const field of ours[title] ?? []) {
        named.add(title)
        schema.properties[field] = {}
        schema.required = [...(schema.required ?? []), field]
      }
      for (const field of oursAtTimes[title] ?? []) schema.properties[field] = {}
    }
    strict.addSchema(contract, 'contract')
    for (const endpoint of ofMarket.filter(({ path }) => path in paths)) {
      const validate = strict.compile({ $ref: `contract${placeOf(endpoint)}` })
      const result = textOf(endpoint, market, queriesOf(endpoint, market)[0])
      const errors = validate(JSON.parse('text' in result ? result.text : 'null')) ? [] : validate.errors!
      const fields = errors.flatMap(({ keyword, params }) =>
        keyword === 'additionalProperties'
          ? [`${params.additionalProperty} is not named`]
          : keyword === 'required'
            ? [`${params.missingProperty} is missing`]
            : []
      )
      expect(fields, endpoint.path).toEqual([])
    }
  }
  expect([...named].sort()).toEqual(published === 0 ? [] : Object.keys(ours).sort())
})

interface StatedSchemas {
  readonly components: {
    readonly schemas: Readonly<
      Record<
        string,
        { properties?: Record<string, { enum?: unknown[] }>; required?: string[]; additionalProperties?: boolean }
      >
    >
  }
}
