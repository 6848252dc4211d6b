import type { PricedChain } from '../pricing/price-chain.ts'
import type { ArgsOf, ResultOf, TaskName } from './tasks/tasks.ts'

/**
 * Does the heavy work: asking the source, pricing, answering. The serving thread knows it by this interface only, so it
 * may be a pool of worker threads or, in a small installation and in tests, the same thread.
 */
export interface Engine {
  /** Runs one task. Rejects with what it throws, and with `overloaded` if its worker takes no more. */
  run<Name extends TaskName>(name: Name, args: ArgsOf<Name>): Promise<ResultOf<Name>>
  /**
   * Lets the workers drop a chain. No later task will name it. `givesBack`: nothing on this thread uses it any more
   * either, so its memory may be reused for the next chain.
   */
  forget(chain: PricedChain, givesBack?: boolean): void
  /** Tasks accepted and not finished. */
  readonly pending: number
  close(): Promise<void>
}
