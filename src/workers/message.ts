import { ApiError, apiError, type ErrorCode, type ErrorDetail } from '../api/error.ts'
import type { Feature } from '../api/feature.ts'
import type { SourceSettings } from '../connectors/port/declaration.ts'
import { SourceError, type SourceFault } from '../connectors/port/source-error.ts'
import type { Assumptions } from '../pricing/carry.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { Result, Task } from './task.ts'

/** What a worker is started with. */
export interface WorkerSettings {
  readonly source: SourceSettings
  readonly assumptions: Assumptions
  /** They decide what some of the endpoints answer. */
  readonly features: readonly Feature[]
}

/**
 * Chains cross to a worker once and are named by number afterwards, so that what the worker remembers about a chain
 * (its strikes, its flip, its levels) serves every later question.
 */
export type ToWorker =
  | {
      readonly id: number
      /** A loaded chain goes by its task's id from then on. */
      readonly task: Task
      /** Chains that take the place of `ChainRef`s in the question and that the worker does not hold yet. */
      readonly chains: ChainTransfer
    }
  | { readonly forget: number }

/** Chains on their way to a worker; one that is already forgotten is used once and not kept. */
export type ChainTransfer = { readonly version: number; readonly chain: PricedChain; readonly keep: boolean }[]

export interface ChainRef {
  readonly chainVersion: number
}

/** Whether a value that crosses is a priced chain. */
export const isPriced = (value: unknown): value is PricedChain =>
  (value as PricedChain | undefined)?.sigma instanceof Float64Array

export type FromWorker =
  | { readonly ready: true }
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly failure: Failure }

/** An error as plain data: classes do not cross threads. */
export type Failure =
  | { readonly kind: 'api'; readonly code: ErrorCode; readonly message: string; readonly detail: ErrorDetail }
  | {
      readonly kind: 'source'
      readonly fault: SourceFault
      readonly message: string
      readonly retryAfter: number | undefined
    }
  | { readonly kind: 'broken'; readonly message: string; readonly stack: string | undefined }

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) {
    return { kind: 'api', code: error.code, message: error.message, detail: error.detail }
  }
  if (error instanceof SourceError) {
    return { kind: 'source', fault: error.fault, message: error.message, retryAfter: error.retryAfter }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { kind: 'broken', message, stack }
}

export function errorOf(failure: Failure): Error {
  if (failure.kind === 'api') return apiError(failure.code, failure.message, failure.detail)
  if (failure.kind === 'source') return new SourceError(failure.fault, failure.message, failure.retryAfter)
  const error = new Error(failure.message)
  if (failure.stack !== undefined) error.stack = failure.stack
  return error
}
