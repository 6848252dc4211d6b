import { ABSENT, ODD } from '../../codec/prices.ts'
import type { ArchiveView } from './archive-table.ts'

/**
 * SQL that restores a price from its stored code: absent, odd (stored separately as a float), or a whole number of
 * units. `column` is the index of the price column in `oddPriceColumns`.
 */
const price = (codes: string, column: number, whole: string, unit: string) =>
  `arrayMap((code, whole, place) -> multiIf(code = ${ABSENT}, NULL,
      code = ${ODD}, odd_price[indexOf(odd_slot, toUInt32(${column} * length(bid_bends) + place - 1))],
      whole / ${unit}), ${codes}, ${whole}, arrayEnumerate(${codes}))`

const each = (value: string, values: string) =>
  `arrayFlatten(arrayMap((${value}, count) -> arrayWithConstant(count, ${value}), ${values}, contracts))`

/**
 * SQL that turns snapshots into one row per contract. The arguments are queries for snapshots and contract lists.
 * Snapshots stay in order; within each, rows are in archive order: by expiration, calls before puts, strikes ascending.
 */
export function unrolled(snapshots: string, series: string): string {
  return `SELECT symbol, ts, session, expiration, root, settlement, strike, if(side = 0, 'call', 'put') AS \`right\`,
  bid, ask, last, if(bid_count < 0, NULL, bid_count) AS bid_size, if(ask_count < 0, NULL, ask_count) AS ask_size,
  if(traded < 0, NULL, traded) AS volume, if(open < 0, NULL, open) AS open_interest, spot, fidelity
FROM (
  SELECT symbol, ts, session, spot, fidelity, strikes, sides, opens,
    bid_size AS bid_counts, ask_size AS ask_counts, volume AS volumes,
    ${each('day', 'expirations')} AS days,
    ${each('name', 'roots')} AS names,
    ${each('kind', 'settlements')} AS kinds,
    arrayCumSum(arrayMap(code -> if(code <= ${ODD}, 0, code), bid_bends)) AS slopes,
    arrayCumSum(arrayMap((code, slope) -> if(code <= ${ODD}, 0, slope), bid_bends, slopes)) AS levels,
    ${price('bid_bends', 0, 'levels', 'unit')} AS bids,
    ${price('spread', 1, 'arrayMap((code, level) -> code + level, spread, levels)', 'unit')} AS asks,
    ${price('last', 2, 'last', 'last_unit')} AS lasts
  FROM (${snapshots}) AS snapshots
  INNER JOIN (
    SELECT symbol, session, id, expiration AS expirations, root AS roots, settlement AS settlements, contracts,
      strike AS strikes, \`right\` AS sides, open_interest AS opens
    FROM (${series})
  ) AS listed
  ON snapshots.symbol = listed.symbol AND snapshots.session = listed.session AND snapshots.series = listed.id
)
ARRAY JOIN days AS expiration, names AS root, kinds AS settlement, strikes AS strike, sides AS side, bids AS bid,
  asks AS ask, lasts AS last, bid_counts AS bid_count, ask_counts AS ask_count, volumes AS traded, opens AS open`
}

/**
 * Quotes as plain rows, for people; the service itself reads whole snapshots. NULL means that the source did not give
 * the value. Queries should name a symbol and a range of `ts`, otherwise the whole archive is read.
 */
export const optionQuotes: ArchiveView = {
  name: 'option_quotes',
  query: unrolled('SELECT *, spot, unit, last_unit FROM {option_images} FINAL', 'SELECT * FROM {option_series} FINAL')
}

/** SQL that restores a price or an ask, which may be stored as its difference from the bid. */
export const fromBid = (column: 'price' | 'ask') => `toInt32(${column} + above * bid)`

const tradesOf = (
  prints: string
) => `SELECT prints.symbol AS symbol, prints.session AS session, prints.position AS position,
  fromUnixTimestamp64Micro(known - behind, 'UTC') AS ts, fromUnixTimestamp64Micro(known, 'UTC') AS known_at,
  expiration, root, settlement, strike, if(\`right\` = 0, 'C', 'P') AS type, price * unit AS price, size,
  if(bid < 0, NULL, bid * unit) AS bid, if(ask < 0, NULL, ask * unit) AS ask, if(spot < 0, NULL, spot * unit) AS underlying,
  transform(bitAnd(judged, 3), [0, 1, 2], ['mid', 'buy', 'sell'], '') AS side, exchange, sequence, flags
FROM (${prints}) AS prints
INNER JOIN (SELECT * FROM {tape_series} FINAL) AS series
ON prints.symbol = series.symbol AND prints.session = series.session AND prints.instrument = series.instrument
INNER JOIN (SELECT symbol, session, unit FROM {tapes} FINAL WHERE kind = 'option') AS heads
ON prints.symbol = heads.symbol AND prints.session = heads.session`

/**
 * Option prints as plain rows, for people. Prices are in USD; bid and ask are NULL if there was no quote. Queries
 * should name a symbol and a session.
 */
export const optionTrades: ArchiveView = {
  name: 'option_trades',
  query: tradesOf('SELECT * FROM {option_tape} FINAL')
}

/** Replaces the view `optionTrades`: it also reads rows whose prices are stored as differences from the bid. */
export const optionTradesAboveBid: ArchiveView = {
  name: 'option_trades',
  query: tradesOf(`SELECT * REPLACE (${fromBid('price')} AS price, ${fromBid('ask')} AS ask) FROM {option_tape} FINAL`)
}
