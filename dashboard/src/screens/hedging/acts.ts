import { usd } from '../../parts/format.ts'
import type { Stand } from '../../state/screens/hedging-state.ts'

/**
 * What dealers do, in words: they trade against the delta that a move of the price gives them, and with the signs that the
 * service reads from vanna and charm.
 */
const act = (worth: number) => `${worth < 0 ? 'sell' : 'buy'} ${usd(Math.abs(worth))}`

/** On a further 1 % up. */
export const onRally = ({ gex }: Stand) => act(-gex)
/** On another point of volatility. */
export const onVolatility = ({ vexPerPoint }: Stand) => act(vexPerPoint)
/** As a day passes. */
export const onTime = ({ chex }: Stand) => act(chex)
