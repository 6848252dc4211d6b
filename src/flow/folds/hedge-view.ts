import { cellsWhere, type PressureRight, pressureSum } from '../../market/hedge-pressure.ts'
import { type Instant, MILLISECONDS_PER_MINUTE } from '../../market/units.ts'
import { SAMPLE_STEP } from '../../market/zero-dte-sample.ts'
import { pressureUntil } from '../pressure-bars.ts'
import type { HedgeFlow, HedgeLegs, StrikeFlow } from '../tape-views.ts'
import { tapeHeaderOf, type ViewContext } from '../tape-views.ts'
import { type HedgeFlowState, strikeFlow } from './hedge-flow.ts'
import type { PressureState } from './pressure.ts'

const floor = (moment: Instant, step: number): Instant => step * Math.floor(moment / step)

/** Hedge flow up to the end of the newest full half minute; by strike, up to the end of the newest full minute. */
export function hedgeView(state: HedgeFlowState, pressure: PressureState, moment: ViewContext): HedgeFlow {
  const end = floor(moment.now, SAMPLE_STEP)
  const minute = floor(moment.now, MILLISECONDS_PER_MINUTE)
  const last = minute - MILLISECONDS_PER_MINUTE
  const [ofDay, later] = [state.classes, pressure.sums].map((sums) => pressureUntil(sums, end))
  return {
    ...tapeHeaderOf(moment),
    since: state.since,
    legs: { end, sum: legsOf(ofDay.sum), inside: legsOf(ofDay.inside) },
    strikes: { end: minute, sum: strikesBefore(state, minute), inside: strikeFlow(state, last) },
    pressure: {
      since: pressure.since,
      next: pressure.next,
      end,
      sum: joined(ofDay.sum, later.sum),
      inside: joined(ofDay.inside, later.inside)
    }
  }
}

const joined = (first: Float64Array, rest: Float64Array) => Float64Array.of(...first, ...rest)

const deltaOf = (wanted: PressureRight) =>
  cellsWhere(({ expiry, measure, right }) => expiry === '0dte' && measure === 'delta' && right === wanted)
const legCells = { calls: deltaOf('calls'), puts: deltaOf('puts') }

/** Delta of calls and of puts, from the sums of the first expiration. */
const legsOf = (cells: Float64Array): HedgeLegs => ({
  calls: pressureSum(cells, legCells.calls),
  puts: pressureSum(cells, legCells.puts)
})

/** Sums by strike over all minutes before `minute`, ascending. */
function strikesBefore({ cells, strikes }: HedgeFlowState, minute: Instant): StrikeFlow {
  const order = strikes.map((_, place) => place).sort((a, b) => strikes[a] - strikes[b])
  const rank = new Int32Array(strikes.length)
  order.forEach((place, row) => {
    rank[place] = row
  })
  const columns = () => new Float64Array(strikes.length)
  const sum = {
    strike: Float64Array.from(order, (place) => strikes[place]),
    signedDelta: columns(),
    signedGamma: columns(),
    contracts: columns()
  }
  for (const [at, { signedDelta, signedGamma, contracts }] of cells) {
    if (at * MILLISECONDS_PER_MINUTE >= minute) continue
    const known = Math.min(strikes.length, contracts.length)
    for (let place = 0; place < known; place++) {
      sum.signedDelta[rank[place]] += signedDelta[place]
      sum.signedGamma[rank[place]] += signedGamma[place]
      sum.contracts[rank[place]] += contracts[place]
    }
  }
  return sum
}
