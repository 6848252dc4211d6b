import { fieldTable } from '../../screener/screener-field.ts'
import { contractFields } from './contract-fields.ts'
import { expiryFields } from './expiry-fields.ts'
import { macroFields } from './macro-fields.ts'
import { stockFields } from './stock-fields.ts'
import { strikeFields } from './strike-fields.ts'

/** All fields of the screener by level: symbol, expiration, strike, contract, macro. */
export const screenerFields = fieldTable({
  stock: stockFields,
  macro: macroFields,
  expiries: expiryFields,
  strikes: strikeFields,
  contracts: contractFields
})
