import type { PricedChain } from '../pricing/price-chain.ts'
import type { SerializedError } from './serialized-error.ts'

// Messages between a thread and its owner, as plain data. Engine workers and job threads use them.

export type CallOutcome = { readonly result: unknown } | { readonly error: SerializedError }

/**
 * A chain that is sent to a thread once and then referred to by a number. Everything the thread has computed from it
 * (strikes, flip, levels) is so reused for later requests. With `keep` false the chain is used for one task only.
 */
export interface TransferredChain {
  readonly ref: number
  readonly chain: PricedChain
  readonly keep: boolean
}

export interface ChainRef {
  readonly chainRef: number
}

export interface TaskMessage {
  readonly id: number
  readonly task: string
  readonly args: unknown
  readonly chains: readonly TransferredChain[]
  /** Time of the steady clock after which no caller waits for the task's result; undefined if a caller waits without limit. */
  readonly until: number | undefined
}

export type ToThread =
  | TaskMessage
  | { readonly abort: number }
  /** `givesBack`: nothing else uses the chain, so its memory may be reused. */
  | { readonly forget: number; readonly givesBack: boolean }
  | { readonly returned: number; readonly outcome: CallOutcome }

/** Request of a running task to its owner, such as a write to the archive. */
export interface Call {
  readonly id: number
  readonly call: number
  readonly method: string
  readonly args: readonly unknown[]
}

export type FromThread = { readonly ready: true } | ({ readonly id: number } & CallOutcome) | Call

export const isPriced = (value: unknown): value is PricedChain =>
  (value as PricedChain | undefined)?.sigma instanceof Float64Array
