import type { PricedChain } from '../pricing/price-chain.ts'
import type { ArgsOf, ResultOf, TaskName } from './tasks/tasks.ts'

/**
 * Where the heavy work is done: asking the source, pricing, answering. The thread that serves HTTP knows it by this
 * port only, so it may be a pool of worker threads or, in a small installation and in tests, the same thread.
 */
export interface Engine {
  /** Does one task of the table. Rejects with what it throws, and with `overloaded` where its worker takes no more. */
  run<Name extends TaskName>(name: Name, args: ArgsOf<Name>): Promise<ResultOf<Name>>
  /**
   * Lets the workers drop a chain. No task will name it again, except those already sent. `givesBack`: nobody on this thread
   * will look at it again either, so that its memory may go to the next chain.
   */
  forget(chain: PricedChain, givesBack?: boolean): void
  /** Tasks accepted and not finished. */
  readonly pending: number
  close(): Promise<void>
}
