import type { Instant } from '../../market/units.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import type { AskedCall } from '../../shelf/messages.ts'
import { type Task, withTimeout } from './task.ts'

interface PackedChain {
  readonly chain: PricedChain
  /** When the chain was requested from the source. */
  readonly observedAt: Instant
}

/** Packs what was observed of a chain into bytes for the shelf. */
export const packShelved: Task<PackedChain, Uint8Array> = {
  urgency: 'soon',
  symbol: ({ chain }) => chain.symbol,
  async run({ chain, observedAt }) {
    const { packChain } = await import('../../shelf/chain-bytes.ts') // loaded by collectors alone
    return packChain(chain, observedAt)
  },
  pack: ({ chain, observedAt }, refOf) => ({ chain: refOf(chain) as PricedChain, observedAt }),
  unpack: ({ chain, observedAt }, chainOf) => ({ chain: chainOf(chain), observedAt })
}

interface AskedOfSource {
  readonly call: AskedCall
  readonly args: readonly unknown[]
}

/** Makes a call of the source for another member, which finds the result on the shelf. */
export const askSource: Task<AskedOfSource, void> = {
  urgency: 'soon',
  symbol: ({ call, args }) => (typeof args[0] === 'string' ? args[0] : call),
  async run({ call, args }, { connector }) {
    const ask = connector[call] as ((...args: readonly unknown[]) => Promise<unknown>) | undefined
    if (ask === undefined) throw new Error(`the source has no ${call}`)
    const { timeLimit } = call === 'dailyBars' ? (connector.suppliers?.bars ?? connector) : connector
    const given = args.map((arg) => arg ?? undefined) // JSON has null for what was left out
    await withTimeout((signal) => ask(...given.slice(0, 2), signal, ...given.slice(2)), timeLimit)
  }
}
