import type { GammaSide, VannaOutlook } from '../signals/risk-premium/dealer-flow-risk.ts'

const harvestReadings: Readonly<Record<GammaSide, string>> = {
  positive_gamma: 'Dealers dampen moves, so realized volatility tends to stay below what options price in',
  negative_gamma: 'Dealers feed moves, so realized volatility can overtake what options price in',
  unknown: 'Without a known gamma regime the premium says little about the moves to come'
}

/**
 * Says what the gamma regime means for a seller of options. `harvest` is the harvest score, 0 to 1: how attractive the
 * premium is.
 */
export function harvestReading(side: GammaSide, harvest: number | undefined): string {
  if (harvest === undefined) return `${harvestReadings[side]}. There is no premium to judge.`
  const verdict = harvest >= 0.6 ? 'is worth collecting' : harvest >= 0.25 ? 'is modest' : 'hardly pays for the risk'
  return `${harvestReadings[side]}. The premium ${verdict}.`
}

const vannaReadings: Readonly<Record<VannaOutlook, string>> = {
  vanna_supportive: 'Net vanna is positive above the flip: falling volatility makes dealers sell into strength calmly.',
  vanna_neutral: 'Net vanna and the flip point different ways: volatility alone sets off no one-sided hedging.',
  vanna_cascade_risk: 'Net vanna is negative below the flip: rising volatility makes dealers sell into weakness.',
  unknown: 'Net vanna or the gamma flip is not known.'
}

export function vannaOutlookReading(outlook: VannaOutlook): string {
  return vannaReadings[outlook]
}

const bands = [
  [-0.5, 'strongly inverse', 'volatility rises when the price falls, as usual for stocks and indexes'],
  [-0.2, 'moderately inverse', 'volatility leans against the price'],
  [0.2, 'decoupled', 'volatility moves on its own'],
  [0.5, 'mildly positive', 'volatility leans with the price']
] as const

/** Says what a correlation between spot and volatility means. The sentence begins with a label. */
export function spotVolReading(correlation: number | undefined): string {
  if (correlation === undefined) return 'insufficient history: too few neighbouring sessions to correlate.'
  const band = bands.find(([bound]) => correlation < bound)
  if (band === undefined) return 'strongly positive: volatility rises with the price, as in a squeeze.'
  return `${band[1]}: ${band[2]}.`
}
