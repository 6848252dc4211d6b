import { CALL, type Expiration } from '../../market/chain.ts'
import type { Settlement } from '../../market/clock.ts'
import { dateOfEpochDay } from '../../market/units.ts'
import { sharedMemory } from '../../memory/shared-memory.ts'
import { type NativeArrays, type NativeBlock, readNative } from './native.ts'

/**
 * The contracts that many snapshots of a session share, with their open interest, by the slots of a chain. It is read
 * once, its columns lie in shared memory, and every chain of the list has these very columns.
 */
export interface ContractList {
  readonly expirations: readonly Expiration[]
  readonly strike: Float64Array
  readonly right: Uint8Array
  readonly openInterest: Int32Array
  /** The slot of each place in the order of the archive. */
  readonly slots: Uint32Array
}

/** What `contractListOf` reads of a row. */
export const contractListFields = 'expiration, root, settlement, contracts, strike, `right`, open_interest'

/** The list in the only row of an answer with these fields. Undefined: the answer has no row. */
export function contractListOf(bytes: Uint8Array): ContractList | undefined {
  const [block] = readNative(bytes)
  if (block === undefined) return undefined
  const expirations = expirationsOf(block)
  const strikes = arrayOf<Float64Array>(block, 'strike')
  const rights = arrayOf<Uint8Array>(block, 'right')
  const interest = arrayOf<Int32Array>(block, 'open_interest')
  const size = strikes.length
  const shared = sharedMemory(size * (8 + 4 + 4 + 1))
  const list: ContractList = {
    expirations,
    strike: new Float64Array(shared, 0, size),
    slots: new Uint32Array(shared, 8 * size, size),
    openInterest: new Int32Array(shared, 12 * size, size),
    right: new Uint8Array(shared, 16 * size, size)
  }
  fillSlots(expirations, strikes, rights, list.slots)
  for (let place = 0; place < size; place++) {
    const slot = list.slots[place]
    list.strike[slot] = strikes[place]
    list.right[slot] = rights[place]
    list.openInterest[slot] = interest[place]
  }
  return list
}

/** Bytes of memory that a list takes, near enough. */
export function bytesOfList({ slots, expirations }: ContractList): number {
  return 1000 + 17 * slots.length + 100 * expirations.length
}

function expirationsOf(block: NativeBlock): readonly Expiration[] {
  const roots = arrayOf<readonly string[]>(block, 'root')
  const settlements = arrayOf<readonly string[]>(block, 'settlement')
  const contracts = arrayOf<Uint32Array>(block, 'contracts')
  let end = 0
  return Array.from(arrayOf<Int32Array>(block, 'expiration'), (day, k) => {
    const start = end
    end += contracts[k]
    return { date: dateOfEpochDay(day), root: roots[k], settlement: settlements[k] as Settlement, start, end }
  })
}

/** The slot of each place of the archive's order: calls and puts of an expiration interleave by strike, call first. */
function fillSlots(
  expirations: readonly Expiration[],
  strike: Float64Array,
  right: Uint8Array,
  slots: Uint32Array
): void {
  for (const { start, end } of expirations) {
    let put = start
    while (put < end && right[put] === CALL) put++
    const firstPut = put
    let call = start
    for (let slot = start; slot < end; slot++) {
      const isCall = call < firstPut && (put === end || strike[call] <= strike[put])
      slots[isCall ? call++ : put++] = slot
    }
  }
}

/** The array in the only row of a block. */
function arrayOf<Values extends NativeArrays['flat']>(block: NativeBlock, name: string): Values {
  return (block.columns[name] as NativeArrays).flat as Values
}
