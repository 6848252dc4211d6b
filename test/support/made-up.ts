import { type Assumptions, defaultAssumptions } from '../../src/pricing/assumptions.ts'

/** Assumptions of made-up prices: Black's formula for every symbol, as the synthetic market declares. */
export const madeUpAssumptions: Assumptions = { ...defaultAssumptions, exercise: 'european' }
