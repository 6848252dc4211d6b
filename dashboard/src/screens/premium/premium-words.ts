import type { AnswerOf } from 'gammawall/client'

type Answer = AnswerOf<'/v1/vrp/{symbol}'>

interface Meaning {
  readonly tone: 'calm' | 'wild' | ''
  readonly word: string
  readonly meaning: string
}

/** Meaning of each regime for sellers and buyers of volatility. */
export const REGIMES: Readonly<Record<NonNullable<Answer['regime']['vrp_regime']>, Meaning>> = {
  harvestable: { tone: 'calm', word: 'Harvestable', meaning: 'Volatility is paid for and dealers dampen moves' },
  fair_value: { tone: '', word: 'Fair value', meaning: 'Options price about what the price has done' },
  event_only: { tone: '', word: 'Event only', meaning: 'What is paid is for a date, not for the days before it' },
  surface_distorted: {
    tone: '',
    word: 'Surface distorted',
    meaning: 'Wings and term are out of line with one another'
  },
  cheap_convexity: { tone: 'wild', word: 'Cheap convexity', meaning: 'Moves cost less than they have been worth' },
  toxic_short_vol: {
    tone: 'wild',
    word: 'Toxic to be short',
    meaning: 'Dealers amplify moves and little is paid for them'
  }
}

export const NO_RANK: Meaning = { tone: '', word: 'No rank yet', meaning: 'A rank needs at least five recorded days' }

export const WARNINGS: Readonly<Record<Answer['warnings'][number], string>> = {
  event_risk: 'An event lies ahead: the nearest expirations are priced for it.',
  negative_gamma: 'Dealers are short gamma: moves are amplified.',
  poor_wing_liquidity: 'The wings trade thinly: a spread costs more than it seems.',
  term_inversion: 'The term structure is inverted: near volatility is dearer than far.',
  credit_stress: 'Credit spreads are wide.',
  extreme_vrp: 'The premium is extreme for this symbol.',
  insufficient_history_for_zscore: 'Too few days are recorded for a rank.'
}

export const STRATEGIES: readonly (readonly [field: keyof NonNullable<Answer['strategy_scores']>, name: string])[] = [
  ['short_put_spread', 'Short put spread'],
  ['short_strangle', 'Short strangle'],
  ['iron_condor', 'Iron condor'],
  ['calendar_spread', 'Calendar spread']
]
