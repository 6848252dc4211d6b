import type { Deadline } from '../api/deadline.ts'
import type { PricedChain } from '../pricing/price-chain.ts'
import type { ArgsOf, ResultOf, TaskName } from './tasks/tasks.ts'

/**
 * Does the heavy work: querying the source, pricing, computing responses. The main thread knows only this interface, so
 * the engine may be a pool of worker threads or, in a small installation and in tests, run on the main thread.
 */
export interface Engine {
  /**
   * Runs one task. Rejects with the error that the task throws, or with `overloaded` if its worker accepts no more
   * tasks. A task that did not begin before its deadline is refused likewise.
   */
  run<Name extends TaskName>(name: Name, args: ArgsOf<Name>, deadline?: Deadline): Promise<ResultOf<Name>>
  /**
   * Lets the workers drop a chain that no later task will use. With `givesBack` this thread no longer uses the chain
   * either, so its memory may be reused for the next chain.
   */
  forget(chain: PricedChain, givesBack?: boolean): void
  /**
   * Lets go of a chain that another one replaced. Requests that began with it may use it a while longer. Then its memory
   * is reused for the next chain, and a task about it is refused with `ChainGone`.
   */
  retire(chain: PricedChain): void
  /** Keeps the memory of a chain from being reused until the returned function is called. */
  lend(chain: PricedChain): () => void
  readonly pending: number
  close(): Promise<void>
}
