import { previousTradingDay } from '../../market/calendar.ts'
import { versionOf } from '../../market/versions.ts'
import type { PricedChain } from '../../pricing/price-chain.ts'
import { orUndefined } from '../maybe-promise.ts'
import { crossesAsChain, type Input } from './input.ts'

/** The chain of the symbol at the close of the previous trading day, where the source holds it. */
export const prior: Input<PricedChain | undefined> = {
  kind: 'market',
  moves: false,
  find: ({ symbols: [symbol], request: { source }, day }) =>
    orUndefined(() => source.closing(symbol, previousTradingDay(day))),
  version: (found) => (found === undefined ? '' : versionOf(found)),
  ...crossesAsChain
}
