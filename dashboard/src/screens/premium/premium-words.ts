import type { AnswerOf } from 'gammawall/client'

type Answer = AnswerOf<'/v1/vrp/{symbol}'>

interface Meaning {
  readonly tone: 'calm' | 'wild' | ''
  readonly word: string
  readonly meaning: string
}

/** Meaning of each regime for sellers and buyers of volatility. */
export const REGIMES: Readonly<Record<NonNullable<Answer['regime']['vrp_regime']>, Meaning>> = {
  harvestable: {
    tone: 'calm',
    word: 'Harvestable',
    meaning: 'Implied volatility pays at most maturities, and dealers dampen moves'
  },
  fair_value: { tone: '', word: 'Fair value', meaning: 'Options price in about as much as the price has moved' },
  event_only: {
    tone: '',
    word: 'Event only',
    meaning: 'The premium is for a scheduled event, not for the days before it'
  },
  surface_distorted: {
    tone: '',
    word: 'Surface distorted',
    meaning: 'The fitted smile is missing or inconsistent'
  },
  cheap_convexity: {
    tone: 'wild',
    word: 'Cheap convexity',
    meaning: 'Options cost little for their history: protection is cheap'
  },
  toxic_short_vol: {
    tone: 'wild',
    word: 'Toxic short volatility',
    meaning: 'Dealers amplify moves, and selling volatility is not paid for'
  }
}

export const NO_RANK: Meaning = { tone: '', word: 'No rank yet', meaning: 'A rank needs at least five recorded days' }

export const WARNINGS: Readonly<Record<Answer['warnings'][number], string>> = {
  event_risk: 'An earnings report is near: the nearest expirations are priced for it.',
  negative_gamma: 'Dealers are short gamma: moves are amplified.',
  poor_wing_liquidity: 'The wings are thinly quoted: spreads cost more than they seem to.',
  term_inversion: 'The term structure is inverted: near-term volatility is above longer-term volatility.',
  credit_stress: 'Credit spreads are wide.',
  extreme_vrp: 'The premium is extreme compared with its history.',
  insufficient_history_for_zscore: 'Too few days have been recorded for a rank.'
}

export const STRATEGIES: readonly (readonly [field: keyof NonNullable<Answer['strategy_scores']>, name: string])[] = [
  ['short_put_spread', 'Short put spread'],
  ['short_strangle', 'Short strangle'],
  ['iron_condor', 'Iron condor'],
  ['calendar_spread', 'Calendar spread']
]
