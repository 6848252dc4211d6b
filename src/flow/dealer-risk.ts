import { type FlowDirection, flowDirection } from './direction.ts'

/** Net gamma (USD per 1 % move of spot) and delta (USD) of some contracts. */
interface NetRisk {
  readonly gex: number
  readonly dex: number
}

/** One exposure on official and on effective open interest, USD. */
export interface Shift {
  readonly settled: number
  readonly live: number
  /** live - settled. */
  readonly adjustment: number
  /**
   * adjustment / settled, a fraction: above 0 it grew in its own sign, below -1 it changed its sign. 0 where both are 0,
   * undefined where only the settled one is.
   */
  readonly share: number | undefined
}

/** How the flow of the session moved what dealers hold. */
export interface DealerRisk {
  readonly gex: Shift
  readonly dex: Shift
  readonly direction: FlowDirection
}

/** The net exposures of the same contracts, greeks and spot by two books, compared. Source: the wire contract. */
export function dealerRisk(settled: NetRisk, live: NetRisk, seriesWithFlow: number): DealerRisk {
  return {
    gex: shiftOf(settled.gex, live.gex),
    dex: shiftOf(settled.dex, live.dex),
    direction: flowDirection(settled.gex, live.gex, seriesWithFlow)
  }
}

function shiftOf(settled: number, live: number): Shift {
  const adjustment = live - settled
  const share = settled === 0 ? (live === 0 ? 0 : undefined) : adjustment / settled
  return { settled, live, adjustment, share }
}
