import Type from 'typebox'
import { block } from '../../api/block.ts'
import { Day, Decimal, Digits, Echo } from '../../api/quantity.ts'
import { epochDay, type IsoDate } from '../../market/units.ts'
import { entryCost, type ScenarioResult, scenarioGrid, structureValue } from '../../pricing/structures/scenario-grid.ts'
import type { Leg } from '../../pricing/structures/structure.ts'
import { MAX_PRICE, MIN_PRICE } from '../pricing/inputs.ts'
import { between, bodyFields, numbersOf, refusal } from './body.ts'
import { readValuation, type Valuation, valuationFields, valuationTypes } from './valuation.ts'

const MAX_CELLS = 10_000

/** The three axes of the scenario grid: spot shocks in percent, volatility shocks as fractions, and days from today. */
const axes = {
  spotShocksPct: { above: -100, maximum: 1000, most: 101, otherwise: [-10, -5, -2, -1, 0, 1, 2, 5, 10] },
  volShocks: { minimum: -5, maximum: 5, most: 21, otherwise: [-0.05, 0, 0.05] },
  daysForward: { minimum: 0, maximum: 3650, most: 31, otherwise: [0] }
} as const
type AxisName = keyof typeof axes

interface Axis {
  readonly minimum?: number
  readonly above?: number
  readonly maximum: number
  readonly most: number
  readonly otherwise: readonly number[]
}

function axisSchema(name: AxisName, description: string) {
  const { minimum, above, maximum, most, otherwise }: Axis = axes[name]
  const item = Type.Number({
    ...(minimum !== undefined && { minimum }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    maximum
  })
  return Type.Optional(Type.Array(item, { minItems: 1, maxItems: most, default: [...otherwise], description }))
}

export const scenariosSchema = Type.Object(
  {
    spot: Type.Number({ minimum: MIN_PRICE, maximum: MAX_PRICE, description: 'current price of the underlying' }),
    spotShocksPct: axisSchema('spotShocksPct', 'percent of spot'),
    volShocks: axisSchema('volShocks', 'fractions added to the volatility of every leg'),
    daysForward: axisSchema('daysForward', 'days after today'),
    ...valuationFields
  },
  { title: 'ScenarioRequest' }
)

export interface DatedLeg extends Leg {
  readonly expiry: IsoDate
  readonly sigma: number
}

export interface Scenarios extends Valuation {
  readonly spot: number
  readonly axes: Readonly<Record<AxisName, readonly number[]>>
}

/** Checks the JSON types of the scenarios at once, and returns a function that parses their values later. */
export function scenariosOf(json: unknown): () => Scenarios {
  const fields = bodyFields(json, 'scenarios', {
    spot: 'number',
    spotShocksPct: 'array',
    volShocks: 'array',
    daysForward: 'array',
    ...valuationTypes
  })
  const sent = (name: AxisName) => fields[name] && numbersOf(fields[name], `scenarios.${name}`)
  const [spotShocksPct, volShocks, daysForward] = [sent('spotShocksPct'), sent('volShocks'), sent('daysForward')]
  return () => {
    const spot = between(fields.spot, MIN_PRICE, MAX_PRICE)
    if (spot === undefined) {
      throw refusal('invalid_spot', 'scenarios.spot', `a number from ${MIN_PRICE} to ${MAX_PRICE}`)
    }
    return {
      spot,
      axes: gridAxes({ spotShocksPct, volShocks, daysForward }),
      ...readValuation(fields, 'scenarios.', 'invalid_scenarios', 'invalid_scenarios')
    }
  }
}

function gridAxes(sent: Readonly<Record<AxisName, readonly number[] | undefined>>): Scenarios['axes'] {
  const read = {
    spotShocksPct: readAxis('spotShocksPct', sent.spotShocksPct),
    volShocks: readAxis('volShocks', sent.volShocks),
    daysForward: readAxis('daysForward', sent.daysForward)
  }
  const cells = read.spotShocksPct.length * read.volShocks.length * read.daysForward.length
  if (cells <= MAX_CELLS) return read
  throw refusal('invalid_scenarios', 'scenarios', `at most ${MAX_CELLS} cells in all; its axes make ${cells}`)
}

/** Parses the values of one axis and returns them ascending, without duplicates. */
function readAxis(name: AxisName, sent: readonly number[] | undefined): readonly number[] {
  const { minimum = -Infinity, above = -Infinity, maximum, most, otherwise }: Axis = axes[name]
  const values = sent ?? otherwise
  const sound = values.every((value) => value >= minimum && value > above && value <= maximum)
  if (values.length === 0 || values.length > most || !sound) {
    const bounds = above > minimum ? `above ${above} and at most ${maximum}` : `from ${minimum} to ${maximum}`
    throw refusal('invalid_scenarios', `scenarios.${name}`, `1 to ${most} numbers ${bounds}`)
  }
  return [...new Set(values)].sort((a, b) => a - b)
}

const amount = (description?: string) => Decimal(6, 'usd per share', description)
const spotAfterShock = Digits(15, 'price', 'spot * (1 + shock / 100)')

const pointBlock = block(
  Type.Object(
    {
      pnl: amount(),
      days_forward: Echo('days'),
      vol_shock: Echo('fraction'),
      spot_shock_pct: Echo('percent'),
      underlying: spotAfterShock
    },
    { title: 'ScenarioOutcome' }
  ),
  ({ pnl, day, volShock, spotShock, spot }: ScenarioResult) => ({
    pnl,
    days_forward: day,
    vol_shock: volShock,
    spot_shock_pct: spotShock,
    underlying: spot
  })
)

/** Value of the structure in every scenario; its days count from the date `today`. */
export const scenarioGridBlock = block(
  Type.Object(
    {
      spot: Echo('price'),
      valuation_date: Day(),
      rate: Echo('fraction'),
      dividend_yield: Echo('fraction'),
      entry_cost: amount('net premium paid; negative = credit'),
      base_value: amount('model value with no shock at day 0'),
      axes: Type.Object(
        {
          days_forward: Type.Array(Echo('days')),
          vol_shocks: Type.Array(Echo('fraction')),
          spot_shocks_pct: Type.Array(Echo('percent')),
          underlying: Type.Array(spotAfterShock)
        },
        { title: 'ScenarioAxes' }
      ),
      pnl: Type.Array(Type.Array(Type.Array(amount())), { description: 'pnl[day][vol][spot]' }),
      best: pointBlock.schema,
      worst: pointBlock.schema
    },
    { title: 'ScenarioGrid' }
  ),
  (dated: readonly DatedLeg[], scenarios: Scenarios, today: IsoDate) => {
    const legs = dated.map(({ expiry, ...leg }) => ({ ...leg, days: epochDay(expiry) - epochDay(today) }))
    const { spotShocksPct: spotShocks, volShocks, daysForward: days } = scenarios.axes
    const { spots, pnl, best, worst } = scenarioGrid(legs, scenarios, { days, volShocks, spotShocks })
    return {
      spot: scenarios.spot,
      valuation_date: today,
      rate: scenarios.rate,
      dividend_yield: scenarios.dividendYield,
      entry_cost: entryCost(legs),
      base_value: structureValue(legs, scenarios, { day: 0, volShock: 0, spotShock: 0 }),
      axes: { days_forward: days, vol_shocks: volShocks, spot_shocks_pct: spotShocks, underlying: spots },
      pnl,
      best: pointBlock.fill(best),
      worst: pointBlock.fill(worst)
    }
  }
)
