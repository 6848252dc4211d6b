import type { PricedChain } from '../pricing/price-chain.ts'
import type { SerializedError } from './serialized-error.ts'

// The messages between a thread and its owner, plain data, used by workers of the engine and by job threads.

/** The result or error of a task or call. */
export type CallOutcome = { readonly result: unknown } | { readonly error: SerializedError }

/**
 * A chain crosses to a thread once and is named by number afterwards, so that everything the thread has computed from
 * it (strikes, flip, levels) serves every later answer. With `keep` false it is used for one task only.
 */
export interface TransferredChain {
  readonly ref: number
  readonly chain: PricedChain
  readonly keep: boolean
}

export interface ChainRef {
  readonly chainRef: number
}

/** Work for a thread. A chain that is its result is referred to by the id of the task from then on. */
export interface TaskMessage {
  readonly id: number
  readonly task: string
  readonly args: unknown
  readonly chains: readonly TransferredChain[]
}

export type ToThread =
  | TaskMessage
  | { readonly abort: number }
  /** `givesBack`: nothing else uses the chain, so its memory may be reused. */
  | { readonly forget: number; readonly givesBack: boolean }
  | { readonly returned: number; readonly outcome: CallOutcome }

/** A task asks its owner to do something for it, such as writing to the archive. */
export interface Call {
  readonly id: number
  readonly call: number
  readonly method: string
  readonly args: readonly unknown[]
}

export type FromThread = { readonly ready: true } | ({ readonly id: number } & CallOutcome) | Call

/** Whether a message value is a priced chain. */
export const isPriced = (value: unknown): value is PricedChain =>
  (value as PricedChain | undefined)?.sigma instanceof Float64Array
