import { fieldTable } from '../../screener/screener-field.ts'
import { contractFields } from './contract-fields.ts'
import { expiryFields } from './expiry-fields.ts'
import { macroFields } from './macro-fields.ts'
import { stockFields } from './stock-fields.ts'
import { strikeFields } from './strike-fields.ts'

/**
 * All fields of the screener, grouped by what a field describes: symbol, expiration, strike, contract or macro data.
 */
export const screenerFields = fieldTable({
  stock: stockFields,
  macro: macroFields,
  expiries: expiryFields,
  strikes: strikeFields,
  contracts: contractFields
})
