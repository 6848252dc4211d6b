import { inPercent } from '../math/optional.ts'
import { closeToClose, type UsableBars } from './realized.ts'

/** Close to close over the last 5, 10, 20, 30 and 60 returns, percent. Undefined: too few bars. */
export interface RealizedWindows {
  readonly rv5: number | undefined
  readonly rv10: number | undefined
  readonly rv20: number | undefined
  readonly rv30: number | undefined
  readonly rv60: number | undefined
}

/** What the underlying did over the windows that implied volatility is compared with. */
export function realizedWindows(bars: UsableBars): RealizedWindows {
  const over = (n: number) => inPercent(closeToClose(bars, n))
  return { rv5: over(5), rv10: over(10), rv20: over(20), rv30: over(30), rv60: over(60) }
}
