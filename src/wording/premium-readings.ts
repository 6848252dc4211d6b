import type { GammaSide } from '../signals/risk-premium/dealer-flow-risk.ts'
import { sideOfLevel } from './format.ts'

const gammaReadings: Readonly<Record<GammaSide, string>> = {
  positive_gamma: 'Dealer hedging dampens moves, which tends to hold realized volatility down.',
  negative_gamma: 'Dealer hedging amplifies moves, so realized volatility can overtake implied.',
  unknown: 'The gamma regime is unknown, so it says nothing about the moves to come.'
}

/** Figures of the premium that a seller of options earns. */
export interface PremiumOffered {
  /** Harvest score, 0 to 1: how large the premium over 20 days is, reduced for the gamma regime. */
  readonly harvest: number | undefined
  /** At-the-money minus realized volatility of each maturity, vol points. */
  readonly term: readonly number[]
}

/** Says what the gamma regime means for a seller of options, and whether there is a premium to earn. */
export function harvestReading(side: GammaSide, { harvest, term }: PremiumOffered): string {
  if (harvest === undefined) return `${gammaReadings[side]} The premium over 20-day realized volatility is unknown.`
  if (harvest === 0)
    return `${gammaReadings[side]} Implied volatility is not above 20-day realized, so there is no premium.`
  const size = harvest >= 0.6 ? 'large' : harvest >= 0.25 ? 'moderate' : 'thin'
  return `${gammaReadings[side]} For this risk, the premium over 20-day realized volatility is ${size}${acrossTerm(term)}.`
}

/** Says at how many of the maturities the premium is above 0, worded as the end of a sentence. */
function acrossTerm(term: readonly number[]): string {
  const paid = term.filter((premium) => premium > 0).length
  if (term.length < 2) return ''
  if (paid === term.length) return ', and it is positive at every maturity'
  if (paid === 0) return ', but it is not positive at any maturity against realized volatility of the same length'
  return 2 * paid >= term.length
    ? ', but it is not positive at every maturity'
    : ', but at most maturities implied volatility is below realized volatility of the same length'
}

interface VannaSetting {
  readonly spot: number
  readonly netVex: number | undefined
  readonly gammaFlip: number | undefined
}

/** Says how dealers trade when volatility changes, and whether their gamma hedging dampens or amplifies that. */
export function vannaOutlookReading({ spot, netVex, gammaFlip }: VannaSetting): string {
  if (netVex === undefined) return 'Net vanna is unknown.'
  if (netVex === 0 && gammaFlip === undefined) return 'Net vanna is zero or unknown, and there is no gamma flip.'
  const place =
    gammaFlip === undefined
      ? 'there is no gamma flip near spot'
      : `spot is ${sideOfLevel(spot, gammaFlip)} the gamma flip, where hedging ${spot >= gammaFlip ? 'dampens' : 'amplifies'} moves`
  if (netVex === 0) return `Net vanna is balanced: volatility alone sets off no hedging; ${place}.`
  const [sign, up, down] = netVex > 0 ? ['positive', 'sell', 'buy'] : ['negative', 'buy', 'sell']
  return `Net vanna is ${sign}: rising volatility makes dealers ${up}, falling volatility makes them ${down}; ${place}.`
}

const bands = [
  [-0.5, 'strongly inverse', 'volatility tends to rise when the price falls, as is usual for stocks and indexes'],
  [-0.2, 'moderately inverse', 'volatility leans against the price'],
  [0.2, 'decoupled', 'volatility and the price move independently'],
  [0.5, 'mildly positive', 'volatility tends to rise with the price']
] as const

/** Says what a correlation between spot and volatility means. The sentence begins with a label. */
export function spotVolReading(correlation: number | undefined): string {
  if (correlation === undefined) return 'insufficient history: too few consecutive sessions to correlate.'
  const band = bands.find(([bound]) => correlation < bound)
  if (band === undefined) return 'strongly positive: volatility rises with the price, as in a short squeeze.'
  return `${band[1]}: ${band[2]}.`
}
