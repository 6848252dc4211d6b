import {
  type CustomerGroup,
  type CustomerSums,
  customerGroups,
  customerPairs,
  customerPowers,
  type SessionCustomers
} from '../../market/customer-sums.ts'
import type { IsoDate, Ticker } from '../../market/units.ts'
import { rowsOf } from '../codec/native-rows.ts'
import { arrayField, floatField, rowBytes, rowText, textField } from '../codec/tab-separated.ts'
import { type DatabaseConnection, textLiteral } from './database-connection.ts'

/** Raise it whenever the sums of the same session become others: rows with another version are made anew. */
const CUSTOMER_VERSION = 1

const PRODUCTS = customerPairs.length
const SCORES = customerPowers.length * customerPairs.length
/** Numbers of a group: the count of contracts, the products and the scores. */
const NUMBERS = 1 + PRODUCTS + SCORES

export async function insertCustomers(
  connection: DatabaseConnection,
  rows: readonly SessionCustomers[]
): Promise<void> {
  if (rows.length === 0) return
  const written = rows.map(({ symbol, session, groups }) => {
    const sums = customerGroups.flatMap((group) => {
      const { contracts, products, scores } = groups[group]
      return [contracts, ...products, ...scores]
    })
    return rowText([textField(symbol), session, String(CUSTOMER_VERSION), arrayField(sums.map(floatField))])
  })
  await connection.insert('customer_sums', ['symbol', 'session', 'version', 'sums'], rowBytes(written))
}

/** Reads the sums of sessions from `from` to `to`, both included, ascending. */
export async function selectCustomers(
  connection: DatabaseConnection,
  symbol: Ticker,
  from: IsoDate,
  to: IsoDate
): Promise<readonly SessionCustomers[]> {
  const found = await connection.read(`SELECT toString(session) AS date, sums FROM customer_sums FINAL
WHERE symbol = ${textLiteral(symbol)} AND session BETWEEN ${textLiteral(from)} AND ${textLiteral(to)}
AND version = ${CUSTOMER_VERSION} ORDER BY session`)
  return rowsOf(found).map(({ date, sums }) => ({
    symbol,
    session: date as IsoDate,
    groups: groupsOf(sums as readonly number[])
  }))
}

function groupsOf(numbers: readonly number[]): SessionCustomers['groups'] {
  const groups = customerGroups.map((group, k): [CustomerGroup, CustomerSums] => {
    const [contracts, ...rest] = numbers.slice(k * NUMBERS, (k + 1) * NUMBERS)
    return [group, { contracts, products: rest.slice(0, PRODUCTS), scores: rest.slice(PRODUCTS) }]
  })
  return Object.fromEntries(groups) as SessionCustomers['groups']
}
