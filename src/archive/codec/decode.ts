import { type Chain, contractColumns, type Expiration } from '../../market/chain.ts'
import type { Settlement } from '../../market/clock.ts'
import { dateOfEpochDay } from '../../market/units.ts'
import type { StoredSnapshot } from '../store.ts'
import { type NativeArrays, type NativeBlock, readNative } from './native.ts'
import { bidLevels, decodeBids, decodePrices } from './prices.ts'

/** What `StoredSnapshot.packed` is: two rows as the database sent them. The second is shared by many snapshots. */
export interface PackedSnapshot {
  readonly snapshot: Uint8Array
  readonly series: Uint8Array
}

/**
 * The chain of a stored snapshot, slot for slot what was written. Runs on any thread; its columns lie in shared memory.
 * An absent side of the underlying's quote is undefined.
 */
export function decodeSnapshot({ symbol, asOf, packed }: StoredSnapshot): Chain {
  const { snapshot, series } = packed as PackedSnapshot
  const [quotes] = readNative(snapshot)
  const [listed] = readNative(series)
  const expirations = expirationsOf(listed)
  const strike = array<Float64Array>(listed, 'strike')
  const right = array<Uint8Array>(listed, 'right')
  const order = slotsOf(expirations, strike, right)

  const columns = contractColumns(order.length)
  const put = <Column extends Float64Array | Int32Array | Uint8Array>(from: Column, into: Column) => {
    for (let place = 0; place < order.length; place++) into[order[place]] = from[place]
  }
  put(strike, columns.strike)
  put(right, columns.right)
  put(array<Int32Array>(listed, 'open_interest'), columns.openInterest)
  put(array<Int32Array>(quotes, 'bid_size'), columns.bidSize)
  put(array<Int32Array>(quotes, 'ask_size'), columns.askSize)
  put(array<Int32Array>(quotes, 'volume'), columns.volume)

  const [delay, spot, bid, ask, last, time, unit, lastUnit] = array<Float64Array>(quotes, 'header')
  const differences = array<Int32Array>(quotes, 'bid_bends')
  const levels = bidLevels(differences)
  decodeBids(differences, levels, order, unit, columns.bid)
  decodePrices(array<Int32Array>(quotes, 'spread'), order, unit, columns.ask, levels)
  decodePrices(array<Int32Array>(quotes, 'last'), order, lastUnit, columns.last)
  const prices = [columns.bid, columns.ask, columns.last]
  const oddPrice = array<Float64Array>(quotes, 'odd_price')
  array<Uint32Array>(quotes, 'odd_slot').forEach((at, k) => {
    prices[Math.floor(at / order.length)][order[at % order.length]] = oddPrice[k]
  })

  const header = { symbol, asOf, delay, spot, quote: { bid: known(bid), ask: known(ask), last, time } }
  return { ...header, ...columns, size: order.length, expirations }
}

function expirationsOf(listed: NativeBlock): readonly Expiration[] {
  const roots = array<readonly string[]>(listed, 'root')
  const settlements = array<readonly string[]>(listed, 'settlement')
  const contracts = array<Uint32Array>(listed, 'contracts')
  let end = 0
  return Array.from(array<Int32Array>(listed, 'expiration'), (day, k) => {
    const start = end
    end += contracts[k]
    return { date: dateOfEpochDay(day), root: roots[k], settlement: settlements[k] as Settlement, start, end }
  })
}

/** The slot of each place of the archive's order: calls and puts of an expiration interleave by strike, call first. */
function slotsOf(expirations: readonly Expiration[], strike: Float64Array, right: Uint8Array): Uint32Array {
  const slots = new Uint32Array(strike.length)
  for (const { start, end } of expirations) {
    let put = start
    while (put < end && right[put] === 0) put++
    const firstPut = put
    let call = start
    for (let slot = start; slot < end; slot++) {
      const isCall = call < firstPut && (put === end || strike[call] <= strike[put])
      slots[isCall ? call++ : put++] = slot
    }
  }
  return slots
}

/** The array in the only row of a block. */
function array<Values extends NativeArrays['flat']>(block: NativeBlock, name: string): Values {
  return (block.columns[name] as NativeArrays).flat as Values
}

function known(price: number): number | undefined {
  return Number.isNaN(price) ? undefined : price
}
