import { CALL, type Chain } from '../../market/chain.ts'
import { easternDate } from '../../market/eastern.ts'
import { isoInstant } from '../../market/units.ts'
import { Contracts, Day, Name, Price, Words } from '../quantity.ts'
import type { SchemaNode } from '../schema-node.ts'
import { bulkForms } from './forms.ts'
import { fixedColumns, fixedNames, type Table } from './table.ts'
import { figureColumn } from './table-columns.ts'
import { shapedTable, type TablePart } from './table-part.ts'

/** A recorded chain, and how it came into the archive. */
export interface RecordedChain {
  readonly chain: Chain
  readonly fidelity: string
}

const schemas = {
  session: Day(),
  expiration: Day(),
  root: Name(),
  settlement: Words('am', 'pm'),
  strike: Price(),
  right: Words('call', 'put'),
  bid: Price(),
  ask: Price(),
  last: Price(),
  bid_size: Contracts(),
  ask_size: Contracts(),
  volume: Contracts('traded in the session so far'),
  open_interest: Contracts('at the end of the session before'),
  spot: Price('of the underlying'),
  fidelity: Words('recorded', 'imported')
}

/** Recorded quotes: a row for each contract, with the columns of `gammawall export`. Missing figures are null. */
const quoteTable: Table = {
  columns: [
    ...fixedNames.map((name) => fixedColumns[name]),
    ...Object.entries(schemas).map(([name, schema]) => figureColumn(name, schema as SchemaNode))
  ],
  read: (recorded, { symbol, at }) => rowsOf(recorded as RecordedChain, symbol, at)
}

/** Table of recorded quotes of a shape. Throws for fields that there are not. */
export const quoteTableOf = (shape: Pick<TablePart, 'fields' | 'missing'>): Table => shapedTable(quoteTable, shape)

/** Writes the quotes of a recorded chain, without head and end. */
export function quoteBytes(recorded: RecordedChain, part: Omit<TablePart, 'rows' | 'parents'>): Uint8Array {
  const form = bulkForms.find(({ name }) => name === part.format)!
  const { columns, read } = quoteTableOf(part)
  return form.part(columns, read(recorded, { symbol: part.symbol, at: part.at, as_of: null }))
}

function rowsOf({ chain, fidelity }: RecordedChain, symbol: string | null, at: string | null): unknown[][] {
  const rows: unknown[][] = []
  const [asOf, session] = [isoInstant(chain.asOf), easternDate(chain.asOf)]
  for (const { date, root, settlement, start, end } of chain.expirations) {
    for (let slot = start; slot < end; slot++) {
      rows.push([
        symbol,
        at,
        asOf,
        session,
        date,
        root,
        settlement,
        chain.strike[slot],
        chain.right[slot] === CALL ? 'call' : 'put',
        priceOrNull(chain.bid[slot]),
        priceOrNull(chain.ask[slot]),
        priceOrNull(chain.last[slot]),
        countOrNull(chain.bidSize[slot]),
        countOrNull(chain.askSize[slot]),
        countOrNull(chain.volume[slot]),
        countOrNull(chain.openInterest[slot]),
        chain.spot,
        fidelity
      ])
    }
  }
  return rows
}

const priceOrNull = (price: number) => (Number.isNaN(price) ? null : price)
const countOrNull = (count: number) => (count < 0 ? null : count)
