import type { StrikeMinute, ZeroDteSample } from '../market/zero-dte-sample.ts'
import { RunningSum } from './running-sum.ts'
import type { HedgeFlow, HedgeLegs, StrikeFlow } from './tape-views.ts'

interface StrikeSums {
  readonly delta: RunningSum
  readonly gamma: RunningSum
}

/**
 * Hedge flow of a symbol for its recorded samples, whole cents. Tapes begin to fold hedge flow when greeks are known,
 * so after a restart their sums begin at 0; this track continues from the recorded sums. Prints and cancels that become
 * known after the end of their bar count in the next bar, so that bars always add up to the running sum.
 */
export class HedgeTrack {
  readonly #calls: RunningSum
  readonly #puts: RunningSum
  readonly #strikes = new Map<number, StrikeSums>()
  #legsSince: number | undefined
  #strikesSince: number | undefined

  /**
   * Continues the sums that are already recorded: `last` is the newest recorded sample, `minutes` are the recorded
   * minutes.
   */
  constructor(last: ZeroDteSample | undefined, minutes: readonly StrikeMinute[]) {
    this.#calls = new RunningSum(last?.hedgeCalls)
    this.#puts = new RunningSum(last?.hedgePuts)
    for (const { strike, signedDelta, signedGamma } of minutes) {
      strike.forEach((at, k) => {
        const { delta, gamma } = this.#sumsOf(at)
        delta.total += signedDelta[k]
        gamma.total += signedGamma[k]
      })
    }
  }

  /** Hedge flow of calls and of puts since the open. */
  legs({ since, legs: { sum, inside } }: HedgeFlow): HedgeLegs {
    const isAnother = since !== this.#legsSince
    this.#legsSince = since
    this.#calls.next(sum.calls, inside.calls, isAnother)
    this.#puts.next(sum.puts, inside.puts, isAnother)
    return { calls: this.#calls.total, puts: this.#puts.total }
  }

  /**
   * Hedge flow of the newest full minute for every strike that ever had any. Delta and gamma are sums since the open;
   * contracts count only this minute.
   */
  minute({ since, strikes: { sum, inside } }: HedgeFlow): StrikeFlow {
    const isAnother = since !== this.#strikesSince
    this.#strikesSince = since
    for (const strike of sum.strike) this.#sumsOf(strike)
    const strike = Float64Array.from(this.#strikes.keys()).sort()
    const rowIn = (flow: StrikeFlow) => {
      const rows = new Map(Array.from(flow.strike, (at, k) => [at, k]))
      return (column: 'signedDelta' | 'signedGamma' | 'contracts', at: number) => {
        const k = rows.get(at)
        return k === undefined ? 0 : flow[column][k]
      }
    }
    const [summed, within] = [rowIn(sum), rowIn(inside)]
    return {
      strike,
      signedDelta: strike.map((at) => {
        return this.#sumsOf(at).delta.next(summed('signedDelta', at), within('signedDelta', at), isAnother)
      }),
      signedGamma: strike.map((at) => {
        return this.#sumsOf(at).gamma.next(summed('signedGamma', at), within('signedGamma', at), isAnother)
      }),
      contracts: strike.map((at) => within('contracts', at))
    }
  }

  #sumsOf(strike: number): StrikeSums {
    let sums = this.#strikes.get(strike)
    if (sums === undefined) {
      sums = { delta: new RunningSum(), gamma: new RunningSum() }
      this.#strikes.set(strike, sums)
    }
    return sums
  }
}
