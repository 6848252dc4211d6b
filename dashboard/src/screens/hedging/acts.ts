import { usd } from '../../parts/format.ts'
import type { PriceExposure } from '../../state/screens/hedging-state.ts'

/**
 * Trades of dealers, in words: they sell what adds to the delta of their options, which are those of the chosen dealer
 * model, and buy what lowers it. Nothing to trade at 0.
 */
const act = (gained: number) =>
  gained === 0 ? 'do nothing' : `${gained > 0 ? 'sell' : 'buy'} ${usd(Math.abs(gained))}`

/** After another 1 % up. */
export const onRally = ({ gex }: PriceExposure) => act(gex)
/** After another point of volatility. */
export const onVolatility = ({ vexPerPoint }: PriceExposure) => act(vexPerPoint)
/** After a day. */
export const onTime = ({ chex }: PriceExposure) => act(chex)
