import type { PricedChain } from '../pricing/price-chain.ts'
import type { SerializedError } from './serialized-error.ts'

// The messages between a thread and its owner, plain data: for the workers of the engine and the threads of jobs alike.

/** How a task or a call ended. */
export type CallOutcome = { readonly result: unknown } | { readonly error: SerializedError }

/**
 * Chains cross to a thread once and are named by number afterwards, so that what the thread remembers about a chain (its
 * strikes, its flip, its levels) serves every later answer. One that is already forgotten is used once and not kept.
 */
export interface TransferredChain {
  readonly ref: number
  readonly chain: PricedChain
  readonly keep: boolean
}

export interface ChainRef {
  readonly chainRef: number
}

/** Work for a thread. A chain that is its result goes by the id of the task from then on. */
export interface TaskMessage {
  readonly id: number
  readonly task: string
  readonly args: unknown
  readonly chains: readonly TransferredChain[]
}

export type ToThread =
  | TaskMessage
  | { readonly abort: number }
  /** `givesBack`: nobody else has the chain, so that its memory may go to the next one. */
  | { readonly forget: number; readonly givesBack: boolean }
  | { readonly returned: number; readonly outcome: CallOutcome }

/** A task asks its owner to do something in its place, such as writing to the archive. */
export interface Call {
  readonly id: number
  readonly call: number
  readonly method: string
  readonly args: readonly unknown[]
}

export type FromThread = { readonly ready: true } | ({ readonly id: number } & CallOutcome) | Call

/** Whether a value that crosses is a priced chain. */
export const isPriced = (value: unknown): value is PricedChain =>
  (value as PricedChain | undefined)?.sigma instanceof Float64Array
