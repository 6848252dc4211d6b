import { usd } from '../../parts/format.ts'
import type { PriceExposure } from '../../state/screens/hedging-state.ts'

/**
 * Trades of dealers, in words: the opposite of the delta that a move of the price gives them. For vanna and charm the
 * signs are those of the service's own reading.
 */
const act = (worth: number) => `${worth < 0 ? 'sell' : 'buy'} ${usd(Math.abs(worth))}`

/** After another 1 % up. */
export const onRally = ({ gex }: PriceExposure) => act(-gex)
/** After another point of volatility. */
export const onVolatility = ({ vexPerPoint }: PriceExposure) => act(vexPerPoint)
/** After a day. */
export const onTime = ({ chex }: PriceExposure) => act(chex)
