import { type Assumptions, defaultAssumptions } from '../../src/pricing/assumptions.ts'

/** What made-up prices are made with: Black's formula, whatever the symbol. The synthetic market declares the same. */
export const madeUpAssumptions: Assumptions = { ...defaultAssumptions, exercise: 'european' }
